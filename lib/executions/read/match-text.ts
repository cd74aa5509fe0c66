import { type InlineValue, unpackInline } from "../../platform/db/large-value.ts";
import {
  ExecutionInput,
  type StoredExecution,
  StoredOutcome,
  type StoredValue,
} from "../record/execution-record.ts";
import type { MatchExecution } from "./list-executions.ts";

/** Bytes of the JSON of a value that is searched: a page looks at 1,000 records, and few bytes may expand to many. */
const maxJsonBytes = 65_536;

/**
 * Returns the test for a text, in any case, in a text or number of the input or the output of an execution. Looks at
 * values in the record alone, which costs no call: those that are stored apart from it, or have more than 64 KB, do not match.
 */
export const matchText = (text: string): MatchExecution => {
  const wanted = text.toLowerCase();
  return (_, execution) => listValues(execution).some((value) => hasText(value, wanted));
};

/** Yields the values that a reader of the record is shown. */
function* listValues({ input, result, isUnchecked }: StoredExecution): Generator<unknown> {
  if (!isUnchecked) yield unpackStored(input, (value) => ExecutionInput.parse(value).input);
  if (result) yield unpackStored(result, (value) => StoredOutcome.parse(value).output);
}

const unpackStored = (stored: StoredValue, read: (value: unknown) => unknown): unknown =>
  "deflate" in stored ? readValue(stored, read) : undefined;

const readValue = (packed: InlineValue, read: (value: unknown) => unknown): unknown => {
  const value = unpackInline(packed, maxJsonBytes);
  return value === undefined ? undefined : read(value);
};

const hasText = (value: unknown, wanted: string): boolean => {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "object" && next !== null) {
      for (const member of Object.values(next)) left.push(member);
    }
    if (typeof next === "string" || typeof next === "number") {
      if (String(next).toLowerCase().includes(wanted)) return true;
    }
  }
  return false;
};
