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
 * Yields the input and the output of an execution, as a reader is shown them. Leaves out a value that is stored apart from the
 * record, that has more than 64 KB of JSON, that is damaged, or of which the JSON fails `mayMatch`, which costs less than parsing.
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
