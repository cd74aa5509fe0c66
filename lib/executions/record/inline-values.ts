import { unpackInline } from "../../platform/db/large-value.ts";
import {
  ExecutionInput,
  type StoredExecution,
  StoredOutcome,
  type StoredValue,
} from "./execution-record.ts";

/** Bytes of the JSON of a value that is listed: a page looks at 1,000 records, and few bytes may expand to many. */
const maxListedBytes = 65_536;

/** Yields input and output, as a reader is shown them, where they are in the record and have at most 64 KB of JSON. */
export function* listInlineValues({
  input,
  result,
  isUnchecked,
}: StoredExecution): Generator<unknown> {
  const shown = isUnchecked ? undefined : unpackListed(input);
  if (shown !== undefined) yield ExecutionInput.parse(shown).input;
  const outcome = result && unpackListed(result);
  if (outcome !== undefined) yield StoredOutcome.parse(outcome).output;
}

const unpackListed = (stored: StoredValue): unknown =>
  "deflate" in stored ? unpackInline(stored, maxListedBytes) : undefined;
