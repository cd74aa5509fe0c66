import { didYouMean } from "../../../platform/http/nearest-name.ts";
import { toIssuePointer, zodErrorMap } from "../../../platform/http/zod-error-map.ts";
import { SentExample } from "../schemas.ts";
import { type ImportRecord, type ReadRecord, toExample } from "./imported.ts";

const known = Object.keys(SentExample.shape);

/** Reads an example as the API and `wharf datasets pull` return it. */
export const readOwnExample = ({ members }: ImportRecord): ReadRecord => {
  const unknown = Object.keys(members).find((name) => !known.includes(name));
  if (unknown) return { detail: didYouMean(`has the member \`${unknown}\``, unknown, known) };
  const parsed = SentExample.safeParse(members, { error: zodErrorMap });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      detail: issue ? `${toIssuePointer(issue.path)} ${issue.message}` : "is not an example",
    };
  }
  const { id, input, expected, metadata, split } = parsed.data;
  return toExample({
    id: id ?? undefined,
    input,
    expected,
    metadata: metadata ?? undefined,
    split: split ?? undefined,
  });
};
