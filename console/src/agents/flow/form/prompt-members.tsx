import { MultiSelect } from "@mantine/core";
import type { Agent } from "../../../../../client/openapi.ts";
import { useAgents } from "../../../agent-queries/use-agents.ts";
import type { Draft } from "../../../flow-graph/edit-flow.ts";
import { isRecord, itemsIn, type Members, textIn, textsIn } from "../../../flow-graph/members.ts";
import { useLoadAll } from "../../../shared/use-load-all.ts";
import { useSkills } from "../../../skills/use-skills.ts";
import { ModelMembers } from "./model-members.tsx";
import { SearchedAssets } from "./searched-assets.tsx";
import type { StepForm } from "./step-form.ts";
import { groupChoices, NumberMember, TextMember, unmounted } from "./text-fields.tsx";
import { parseToolKey, readToolKey, useToolChoices } from "./use-tool-choices.ts";
import { JsonMember } from "./value-member.tsx";

/** The revision that a step is part of. */
export type StepSurroundings = {
  draft: Draft;
  /** Ids and names of the steps that can be chosen as targets. */
  others: readonly { value: string; label: string }[];
};

type PromptMembersProps = {
  form: StepForm;
  surroundings: StepSurroundings;
};

/** Fields of a step that asks a model. */
export const PromptMembers = ({ form, surroundings }: PromptMembersProps) => (
  <>
    <TextMember form={form} name="prompt" label="Prompt" minRows={4} isRequired />
    <TextMember form={form} name="system" label="System" minRows={2} />
    <ModelMembers
      llm={form.step.llm}
      onChange={(llm) => form.set("llm", llm)}
      errorAt={(pointer) => form.errorAt(`/llm${pointer}`)}
      error={form.problems.find(({ pointer }) => pointer === "/llm")?.detail}
      placeholder="The revision's"
    />
    <OfferedTools form={form} surroundings={surroundings} />
    <SearchedAssets
      form={form}
      draft={surroundings.draft}
      description="Assets of the revision that the model may search."
    />
    <OfferedSkills form={form} />
    <JsonMember
      form={form}
      name="outputSchema"
      label="Output schema"
      description="A JSON Schema that the response must match. If empty, the response is text."
    />
    <NumberMember
      label="Turns, at most"
      placeholder="8"
      value={form.step.maxTurns}
      onChange={(value) => form.set("maxTurns", value)}
      error={form.errorAt("/maxTurns")}
    />
  </>
);

/** Chooses what the model may call: tools, and sub-agents of the revision. */
const OfferedTools = ({ form, surroundings }: PromptMembersProps) => {
  const choices = useToolChoices();
  const agents = useLoadAll(useAgents()).items;
  const offered = itemsIn(form.step.tools);
  const subAgents = itemsIn(surroundings.draft.subAgents).filter(isRecord);
  const subAgentIds = new Set(subAgents.map(({ id }) => textIn(id)));
  const isSubAgent = (item: unknown): item is string =>
    typeof item === "string" && (subAgentIds.has(item) || agents.some(({ id }) => id === item));
  const tools = offered.filter((item) => !isSubAgent(item)).map(readToolKey);
  const called = offered.filter(isSubAgent);
  const set = (items: readonly unknown[], subAgents: readonly Members[] = []): void =>
    form.set("tools", items.length === 0 ? undefined : items, subAgents);
  const toolData = [
    ...tools
      .filter((key) => !choices.some(({ value }) => value === key))
      .map((value) => ({ value, label: textIn(parseToolKey(value).toolId) })),
    ...choices,
  ];
  const agentData = new Map([
    ...subAgents.map(({ id, displayName }): [string, string] => [
      textIn(id),
      textIn(displayName) || textIn(id),
    ]),
    ...agents.map(({ id, displayName }): [string, string] => [id, displayName]),
  ]);
  return (
    <>
      <MultiSelect
        comboboxProps={unmounted}
        label="Tools"
        searchable
        nothingFoundMessage="No tool has this name"
        value={tools}
        data={groupChoices(toolData)}
        onChange={(keys) => set([...called, ...keys.map(keptRef(offered))])}
        error={form.errorAt("/tools")}
      />
      <MultiSelect
        comboboxProps={unmounted}
        label="Sub-agents"
        description="Agents that the model may call."
        searchable
        nothingFoundMessage="No agent has this name"
        value={called}
        data={[...agentData].map(([value, label]) => ({ value, label }))}
        onChange={(ids) =>
          set(
            [...ids, ...offered.filter((item) => !isSubAgent(item))],
            agents.filter(({ id }) => ids.includes(id) && !subAgentIds.has(id)).map(toSubAgent),
          )
        }
      />
    </>
  );
};

/** Returns the entry of the revision's `subAgents` that offers an agent. */
const toSubAgent = ({ id, displayName, description }: Agent): Members => ({
  id,
  agentId: id,
  displayName,
  description,
});

/** Returns the reference of a tool; one that the step has already stays as it is written. */
const keptRef =
  (offered: readonly unknown[]) =>
  (key: string): unknown => {
    const before = offered.find((item) => readToolKey(item) === key);
    return before ?? parseToolKey(key);
  };

const OfferedSkills = ({ form }: { form: StepForm }) => {
  const skills = useLoadAll(useSkills()).items;
  const chosen = textsIn(form.step.skills);
  const names = new Map([
    ...chosen.map((id): [string, string] => [id, id]),
    ...skills.map(({ id, displayName }): [string, string] => [id, displayName]),
  ]);
  return (
    <MultiSelect
      comboboxProps={unmounted}
      label="Skills"
      searchable
      nothingFoundMessage="No skill has this name"
      value={chosen}
      data={[...names].map(([value, label]) => ({ value, label }))}
      onChange={(ids) => form.set("skills", ids.length === 0 ? undefined : ids)}
      error={form.errorAt("/skills")}
    />
  );
};
