import { ChosenId } from "../../../platform/http/ids.ts";
import { isRecord } from "../../../values/json/json.ts";
import {
  expectedName,
  type ImportNames,
  type ImportRecord,
  type ReadRecord,
  toExample,
  toInput,
  without,
} from "./imported.ts";

/**
 * Reads a row of a CSV file: columns `id`, `split`, `metadata` and that of the expected output. The input is the column
 * `input`, and then other columns are metadata; without it, the other columns are the named inputs.
 */
export const readCsvRow = ({ members }: ImportRecord, names: ImportNames): ReadRecord => {
  const { id, split, metadata, input } = members;
  if (id !== undefined && !ChosenId.safeParse(id).success) {
    return { detail: "has an `id` with other characters than letters, digits, `.`, `_` and `-`" };
  }
  const expected = expectedName(Object.keys(members), names);
  const others = without(members, ["id", "split", "metadata", "input", expected]);
  const isWhole = input !== undefined;
  if (!isWhole && Object.keys(others).length === 0) return { detail: "has no input" };
  return toExample({
    id: id === undefined ? undefined : String(id),
    input: isWhole ? toInput(input, names) : others,
    expected: expected === undefined ? undefined : members[expected],
    metadata: {
      ...(isRecord(metadata) ? metadata : metadata !== undefined && { metadata }),
      ...(isWhole && others),
    },
    split: split === undefined ? undefined : String(split),
  });
};
