import type { FlowError } from "../../engine/flow/flow-result.ts";
import type { ExecutionRecord } from "./execution-record.ts";

/** Returns the first characters of a text, without half of a surrogate pair. */
export const takeStart = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");

/** Characters of an error detail that lists show. */
const listedDetailLength = 200;

/** Builds the members of a record that show its error in lists; null for none. Its secrets are masked before. */
export const toErrorMembers = (
  error: FlowError | null,
): Pick<ExecutionRecord, "errorType" | "errorDetail"> => ({
  errorType: error?.slug ?? null,
  errorDetail: error ? takeStart(error.detail, listedDetailLength) : null,
});
