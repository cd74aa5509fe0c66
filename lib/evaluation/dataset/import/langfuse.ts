import { ChosenId } from "../../../platform/http/ids.ts";
import { isRecord } from "../../../values/json/json.ts";
import {
  type ImportNames,
  type ImportRecord,
  type ReadRecord,
  toExample,
  toInput,
} from "./imported.ts";

/** Returns whether a record is an item of a Langfuse dataset, as the API and exports return it. */
export const isLangfuseItem = ({ members }: ImportRecord): boolean =>
  "input" in members && ("expectedOutput" in members || "datasetId" in members);

/** Reads an item of a Langfuse dataset; archived ones are left out. */
export const readLangfuseItem = ({ members }: ImportRecord, names: ImportNames): ReadRecord => {
  const { id, status, input, expectedOutput, metadata } = members;
  if (status === "ARCHIVED") return undefined;
  if (input === undefined || input === null) return { detail: "has no `input`" };
  const isUsable = ChosenId.safeParse(id).success;
  const sources = Object.entries(members).filter(
    ([name, value]) => sourceNames.includes(name) && value !== null && value !== "",
  );
  return toExample({
    id: isUsable ? String(id) : undefined,
    input: toInput(input, names),
    expected: names.expected === undefined ? expectedOutput : members[names.expected],
    metadata: {
      ...(isRecord(metadata) ? metadata : (metadata ?? null) !== null && { metadata }),
      ...Object.fromEntries(sources),
    },
  });
};

/** The trace that an item was made from. */
const sourceNames = ["sourceTraceId", "sourceObservationId"];
