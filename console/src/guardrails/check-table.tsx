import { Code } from "@mantine/core";
import type { Guardrail } from "../../../client/openapi.ts";
import { type Members, textIn, textsIn } from "../flow-graph/members.ts";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { toListState } from "../shared/to-list-state.ts";
import { describeCheck } from "./guardrail-form.ts";

const columns: readonly Column<Members>[] = [
  { header: "Check", cell: ({ id }) => <Code>{textIn(id)}</Code> },
  { header: "Type", cell: ({ type }) => textIn(type) },
  { header: "Places", cell: ({ on }) => textsIn(on).join(", ") },
  { header: "Action", cell: ({ action }) => textIn(action) },
  { header: "If it fails", isSecondary: true, cell: ({ onError }) => textIn(onError) || "block" },
  { header: "Finds", isWide: true, cell: (check) => describeCheck(check) },
];

/** Shows the checks of a guardrail to a user who may not change them. */
export const CheckTable = ({ guardrail: { checks } }: { guardrail: Guardrail }) => (
  <ResourceTable<Members>
    label="Checks"
    list={toListState<Members>({ data: checks })}
    getId={({ id }) => textIn(id)}
    columns={columns}
    empty={null}
  />
);
