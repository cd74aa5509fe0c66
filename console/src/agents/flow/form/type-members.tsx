import { Fieldset, Group, Stack } from "@mantine/core";
import { useAgents } from "../../../agent-queries/use-agents.ts";
import { newStep, stepTypes } from "../../../flow-graph/edit-flow.ts";
import { textIn } from "../../../flow-graph/members.ts";
import { useLoadAll } from "../../../shared/use-load-all.ts";
import { ApprovalMembers } from "./approval-members.tsx";
import { ConditionMembers } from "./condition-members.tsx";
import { PromptMembers } from "./prompt-members.tsx";
import { RetrieveMembers } from "./retrieve-members.tsx";
import { createInnerForm, type StepForm } from "./step-form.ts";
import type { StepSurroundings } from "./step-surroundings.ts";
import { ChoiceMember, NumberMember, OptionMember } from "./text-fields.tsx";
import { ToolMembers } from "./tool-members.tsx";
import { ValueMember } from "./value-member.tsx";
import { WaitMembers } from "./wait-members.tsx";

type TypeMembersProps = { form: StepForm; surroundings: StepSurroundings };

/** Fields of the members that a type of step has. */
export const TypeMembers = ({ form, surroundings }: TypeMembersProps) => {
  switch (form.step.type) {
    case "Prompt":
      return <PromptMembers form={form} surroundings={surroundings} />;
    case "Tool":
      return <ToolMembers form={form} />;
    case "SubAgent":
      return <SubAgentMembers form={form} />;
    case "Retrieve":
      return <RetrieveMembers form={form} surroundings={surroundings} />;
    case "Condition":
      return <ConditionMembers form={form} surroundings={surroundings} />;
    case "Approval":
      return <ApprovalMembers form={form} surroundings={surroundings} />;
    case "Wait":
      return <WaitMembers form={form} />;
    case "ForEach":
      return <ForEachMembers form={form} surroundings={surroundings} />;
    case "Transform":
    case "Output":
      return <ValueMember form={form} name="value" label="Value" description={anyJson} />;
    default:
      return null;
  }
};

const anyJson = "Any JSON with {% %} expressions.";

const SubAgentMembers = ({ form }: { form: StepForm }) => {
  const agents = useLoadAll(useAgents()).items;
  return (
    <>
      <ChoiceMember
        label="Called agent"
        placeholder="Choose an agent"
        value={textIn(form.step.agentId)}
        data={agents.map(({ id, displayName }) => ({ value: id, label: displayName }))}
        onChange={(agentId) => form.set("agentId", agentId ?? "")}
        error={form.errorAt("/agentId")}
      />
      <ValueMember
        form={form}
        name="input"
        label="Input"
        description="An object, or an expression that returns one."
      />
    </>
  );
};

/** Types that run for each item. */
const innerTypes = stepTypes.filter((type) => type !== "Condition" && type !== "Output");

const ForEachMembers = ({ form, surroundings }: TypeMembersProps) => {
  const inner = createInnerForm(form);
  return (
    <>
      <ValueMember
        form={form}
        name="items"
        label="Items"
        description="A list, or an expression that returns one."
      />
      <Group grow align="flex-start">
        <NumberMember
          label="Concurrency"
          placeholder="1"
          value={form.step.concurrency}
          onChange={(value) => form.set("concurrency", value)}
          error={form.errorAt("/concurrency")}
        />
        <OptionMember
          label="On item error"
          none="fail (default)"
          value={textIn(form.step.onItemError)}
          options={[
            { value: "fail", label: "fail: the step fails" },
            { value: "collect", label: "collect: the other items continue" },
          ]}
          onChange={(value) => form.set("onItemError", value)}
          error={form.errorAt("/onItemError")}
        />
      </Group>
      <Fieldset legend="For each item" p="sm">
        <Stack gap="sm">
          <OptionMember
            label="Step type"
            value={textIn(inner.step.type)}
            options={innerTypes.map((type) => ({ value: type, label: type }))}
            onChange={(type) => type !== undefined && inner.replace(newStep(type))}
            error={inner.errorAt("/type") ?? inner.problems.find(isWhole)?.detail}
          />
          <TypeMembers form={inner} surroundings={surroundings} />
        </Stack>
      </Fieldset>
    </>
  );
};

const isWhole = ({ pointer }: { pointer: string }): boolean => pointer === "";
