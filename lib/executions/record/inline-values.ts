import { expandInline } from "../../platform/db/large-value.ts";
import {
  ExecutionInput,
  type StoredExecution,
  StoredOutcome,
  type StoredValue,
} from "./execution-record.ts";

/** Bytes of the JSON of a value that is listed: a page looks at 1,000 records, and few bytes may expand to many. */
const maxListedBytes = 65_536;

/**
 * Yields input and output, as a reader is shown them, where they are in the record, have at most 64 KB of JSON, and its text passes
 * a test, which takes less time than parsing it. A damaged value is left out.
 */
export function* listInlineValues(
  { input, result, isUnchecked }: StoredExecution,
  mayMatch: (json: string) => boolean,
): Generator<unknown> {
  const read = (stored: StoredValue | undefined): unknown => {
    const json = stored && "deflate" in stored ? expandInline(stored, maxListedBytes) : undefined;
    return json !== undefined && mayMatch(json) ? JSON.parse(json) : undefined;
  };
  const shown = ExecutionInput.safeParse(isUnchecked ? undefined : read(input));
  if (shown.success) yield shown.data.input;
  const outcome = StoredOutcome.safeParse(read(result));
  if (outcome.success) yield outcome.data.output;
}
