import { MultiSelect } from "@mantine/core";
import type { Agent } from "../../../../../client/openapi.ts";
import { useAgents } from "../../../agent-queries/use-agents.ts";
import { isRecord, itemsIn, type Members, textIn, withItem } from "../../../flow-graph/members.ts";
import { detailAt } from "../../../flow-graph/refusals.ts";
import { useLoadAll } from "../../../shared/use-load-all.ts";
import type { StepForm } from "./step-form.ts";
import type { StepSurroundings } from "./step-surroundings.ts";
import { groupChoices, unmounted } from "./text-fields.tsx";
import { ToolApproval } from "./tool-approval.tsx";
import { parseToolKey, readPlainId, readToolKey } from "./tool-keys.ts";
import { useToolChoices } from "./use-tool-choices.ts";

type OfferedToolsProps = { form: StepForm; surroundings: StepSurroundings };

/** Chooses what the model may call: tools, and sub-agents of the revision; and which calls people approve. */
export const OfferedTools = ({ form, surroundings }: OfferedToolsProps) => {
  const choices = useToolChoices();
  const agents = useLoadAll(useAgents()).items;
  const offered = itemsIn(form.step.tools);
  const subAgents = itemsIn(surroundings.draft.subAgents).filter(isRecord);
  const agentNames = new Map([
    ...agents.map(({ id, displayName }): [string, string] => [id, displayName]),
    ...subAgents.map(({ id, displayName }): [string, string] => [
      textIn(id),
      textIn(displayName) || textIn(id),
    ]),
  ]);
  const isSubAgent = (item: unknown): boolean => agentNames.has(readPlainId(item) ?? "");
  const tools = offered.filter((item) => !isSubAgent(item));
  const called = offered.filter(isSubAgent);
  const set = (items: readonly unknown[], added: readonly Members[] = []): void =>
    form.set("tools", items.length === 0 ? undefined : items, added);
  const toolLabel = (item: unknown): string => {
    const key = readToolKey(item);
    const known = choices.find(({ value }) => value === key);
    return known?.label ?? textIn(parseToolKey(key).toolId);
  };
  const toolData = [
    ...tools
      .map((item) => ({ value: readToolKey(item), label: toolLabel(item) }))
      .filter(({ value }) => !choices.some((choice) => choice.value === value)),
    ...choices,
  ];
  const offeredAgents = new Set(subAgents.map(({ id }) => id));
  return (
    <>
      <MultiSelect
        comboboxProps={unmounted}
        label="Tools"
        searchable
        nothingFoundMessage="No tool has this name"
        value={tools.map(readToolKey)}
        data={groupChoices(toolData)}
        onChange={(keys) =>
          set([...called, ...keys.map(keptItem(tools, readToolKey, parseToolKey))])
        }
        error={detailAt(
          form.problems.filter(({ pointer }) => !isAboutApproval.test(pointer)),
          "/tools",
        )}
      />
      <MultiSelect
        comboboxProps={unmounted}
        label="Sub-agents"
        description="Agents that the model may call."
        searchable
        nothingFoundMessage="No agent has this name"
        value={called.map((item) => readPlainId(item) ?? "")}
        data={[...agentNames].map(([value, label]) => ({ value, label }))}
        onChange={(ids) =>
          set(
            [...ids.map(keptItem(called, readPlainId, (id) => id)), ...tools],
            agents.filter(({ id }) => ids.includes(id) && !offeredAgents.has(id)).map(toSubAgent),
          )
        }
      />
      {offered.map((item, index) => (
        <ToolApproval
          key={readToolKey(item)}
          label={
            isSubAgent(item) ? (agentNames.get(readPlainId(item) ?? "") ?? "") : toolLabel(item)
          }
          item={item}
          agentId={surroundings.agentId}
          onChange={(next) => set(withItem(offered, index, next))}
          errorAt={(pointer) => form.errorAt(`/tools/${index}${pointer}`)}
        />
      ))}
    </>
  );
};

const isAboutApproval = /^\/tools\/\d+\/(approval|approvers|allowStarter)(\/|$)/;

/** Returns the entry of the revision's `subAgents` that offers an agent. */
const toSubAgent = ({ id, displayName, description }: Agent): Members => ({
  id,
  agentId: id,
  displayName,
  description,
});

/** Returns the item of a chosen key; one that the step has already stays as it is written. */
const keptItem =
  (
    before: readonly unknown[],
    readKey: (item: unknown) => string | undefined,
    create: (key: string) => unknown,
  ) =>
  (key: string): unknown =>
    before.find((item) => readKey(item) === key) ?? create(key);
