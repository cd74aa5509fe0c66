import type { Revision } from "../../../../client/openapi.ts";
import { compareLines, type DiffLine } from "../../shared/compare-lines.ts";
import { compactDraft } from "../flow/compact-draft.ts";

const toLines = ({ agentRevision: _, comment: __, ...content }: Revision): string[] =>
  JSON.stringify(compactDraft(content), null, 2).split("\n");

/** Compares the contents of two revisions line by line. */
export const compareRevisions = (before: Revision, after: Revision): DiffLine[] =>
  compareLines(toLines(before), toLines(after));
