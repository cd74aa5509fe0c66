import { MultiSelect } from "@mantine/core";
import { textsIn } from "../../../flow-graph/members.ts";
import { useLoadAll } from "../../../shared/use-load-all.ts";
import { useSkills } from "../../../skills/use-skills.ts";
import { MemoryMembers } from "./memory-members.tsx";
import { ModelMembers } from "./model-members.tsx";
import { OfferedTools } from "./offered-tools.tsx";
import { PromptFiles } from "./prompt-files.tsx";
import { SearchedAssets } from "./searched-assets.tsx";
import type { StepForm } from "./step-form.ts";
import type { StepSurroundings } from "./step-surroundings.ts";
import { NumberMember, TextMember, unmounted } from "./text-fields.tsx";
import { JsonMember } from "./value-member.tsx";

type PromptMembersProps = {
  form: StepForm;
  surroundings: StepSurroundings;
};

/** Fields of a step that asks a model. */
export const PromptMembers = ({ form, surroundings }: PromptMembersProps) => (
  <>
    <TextMember form={form} name="prompt" label="Prompt" minRows={4} isRequired />
    <TextMember form={form} name="system" label="System" minRows={2} />
    <PromptFiles form={form} draft={surroundings.draft} />
    <ModelMembers
      llm={form.step.llm}
      onChange={(llm) => form.set("llm", llm)}
      errorAt={(pointer) => form.errorAt(`/llm${pointer}`)}
      error={form.problems.find(({ pointer }) => pointer === "/llm")?.detail}
      placeholder="System prompt of the revision"
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
      label="Max turns"
      placeholder="8"
      value={form.step.maxTurns}
      onChange={(value) => form.set("maxTurns", value)}
      error={form.errorAt("/maxTurns")}
    />
    <MemoryMembers form={form} />
  </>
);

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
