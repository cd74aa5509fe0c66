import { useMemo } from "react";
import type { Agent } from "../../../../client/openapi.ts";
import { useMayAt } from "../../agent-queries/use-may-at.ts";
import { toRefusals } from "../../flow-graph/refusals.ts";
import { useDraftRun } from "./run/use-draft-run.ts";
import { useDocument } from "./use-document.ts";
import { useDraftCheck } from "./use-draft-check.ts";
import { useDrafts } from "./use-drafts.ts";
import { useSaveRevision } from "./use-save-revision.ts";

/** A revision to edit. */
export type EditedRevision = {
  agent: Agent;
  /** Number of the shown revision; null before the first one. */
  revision: number | null;
  /** JSON of the revision. */
  initial: string;
  /** Called before the revision that was saved is shown. */
  onSaved: (revision: number) => void;
};

/** Keeps a revision that is edited: its document and drafts, its runs, and what the API refuses. */
export const useEditedRevision = ({ agent, revision, initial, onSaved }: EditedRevision) => {
  const mayAt = useMayAt(agent.id);
  const mayWrite = mayAt("revisions:write");
  const mayTest = mayWrite && mayAt("agents:test");
  const state = useDocument(initial);
  const { draft, isValid, hasChanges } = state;
  const drafts = useDrafts({ agent: agent.id, revision, initial, state, isEditable: mayWrite });
  const saving = useSaveRevision({
    agent: agent.id,
    draft: isValid ? draft : undefined,
    hasChanges,
    onSend: state.noteSent,
    onStored: drafts.remove,
    onSaved,
  });
  const draftRun = useDraftRun(agent.id, draft);
  const refused = useMemo(() => toRefusals(saving.error, saving.sent), [saving.error, saving.sent]);
  const checked = useDraftCheck(agent.id, draft, mayTest && isValid && hasChanges);
  return {
    ...{ mayWrite, mayTest, state, drafts, saving, draftRun },
    isEditable: mayWrite && isValid,
    /** Refusals of the last save. */
    refused,
    /** Refusals of the draft as it is. */
    refusals: checked ?? refused,
  };
};
