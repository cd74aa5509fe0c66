import { Alert, Code, Group, List, MultiSelect, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import {
  changeStep,
  type Draft,
  findNeighbours,
  offerSubAgents,
  renameStep,
  setNeighbours,
} from "../../../flow-graph/edit-flow.ts";
import { type Members, textIn } from "../../../flow-graph/members.ts";
import type { Refusals } from "../../../flow-graph/refusals.ts";
import type { PointedProblem } from "../../../shared/problem.ts";
import { membersAttribute } from "../focus-members.ts";
import { ownUndo } from "../use-editor-keys.ts";
import { FailureMembers } from "./failure-members.tsx";
import { RetryMembers } from "./retry-members.tsx";
import { createStepForm } from "./step-form.ts";
import { unmounted } from "./text-fields.tsx";
import { TypeMembers } from "./type-members.tsx";

type StepPanelProps = {
  agentId: string;
  draft: Draft;
  step: Members & { id: string };
  /** Ids and names of all steps. */
  steps: readonly { value: string; label: string }[];
  onChange: (draft: Draft) => void;
  /** Called after the step got another id. */
  onRename: (id: string) => void;
  refusals: Refusals;
  isReadOnly: boolean;
};

/** Edits a step by fields. */
export const StepPanel = (props: StepPanelProps) => {
  const { agentId, draft, step, steps, onChange, refusals } = props;
  const { id } = step;
  const problems = refusals.steps.get(id) ?? [];
  const others = steps.filter(({ value }) => value !== id);
  const form = createStepForm(
    step,
    (next, subAgents = []) =>
      onChange(
        offerSubAgents(
          changeStep(draft, id, () => next),
          subAgents,
        ),
      ),
    problems,
    props.isReadOnly,
  );
  return (
    <Stack gap="sm">
      <OtherProblems step={step} problems={problems} />
      <Group grow align="flex-start">
        <StepId {...props} key={id} error={form.errorAt("/id")} />
        <TextInput
          label="Name"
          placeholder={id}
          value={textIn(step.name)}
          onChange={({ currentTarget: { value } }) => form.set("name", value || undefined)}
          error={form.errorAt("/name")}
        />
      </Group>
      <Stack gap="sm" {...membersAttribute}>
        <TypeMembers key={id} form={form} surroundings={{ draft, agentId, others }} />
      </Stack>
      <Neighbours {...props} side="target" label="Waits for" others={others} />
      <Neighbours {...props} side="source" label="Next steps" others={others} />
      <RetryMembers form={form} />
      <FailureMembers form={form}>
        <Neighbours
          {...props}
          side="source"
          on="error"
          label="Next steps on error"
          others={others}
        />
      </FailureMembers>
    </Stack>
  );
};

const StepId = (props: StepPanelProps & { error: string | undefined }) => {
  const { draft, step, steps, onChange, onRename, error } = props;
  const [text, setText] = useState(step.id);
  const isTaken = text !== step.id && steps.some(({ value }) => value === text);
  const rename = (): void => {
    if (text === step.id || text === "" || isTaken) return;
    onChange(renameStep(draft, step.id, text));
    onRename(text);
  };
  return (
    <TextInput
      {...ownUndo}
      label="Step ID"
      description={
        text === step.id ? undefined : "Press Enter to rename the step, also in expressions."
      }
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={rename}
      onKeyDown={({ key }) => {
        if (key === "Enter") rename();
      }}
      error={isTaken ? "Another step has this ID." : error}
    />
  );
};

type NeighboursProps = Pick<StepPanelProps, "draft" | "step" | "onChange" | "refusals"> & {
  side: "source" | "target";
  /** The kind of its edges: those that are taken if the source fails. */
  on?: "error";
  label: string;
  others: readonly { value: string; label: string }[];
};

const Neighbours = (props: NeighboursProps) => {
  const { draft, step, onChange, refusals, side, on, label, others } = props;
  const end = { side, ...(on && { on }) };
  const details = refusals.edges.filter(
    (edge) => edge[side] === step.id && (edge.on ?? undefined) === on,
  );
  return (
    <MultiSelect
      comboboxProps={unmounted}
      label={label}
      searchable
      nothingFoundMessage="No step has this name"
      value={findNeighbours(draft, step.id, end)}
      data={[...others]}
      onChange={(ids) => onChange(setNeighbours(draft, step.id, end, ids))}
      error={details.map(({ detail }) => detail).join("; ") || undefined}
    />
  );
};

/** Members that have fields, of any type of step. */
const membersWithField = new Set([
  ...[
    "id",
    "name",
    "prompt",
    "system",
    "llm",
    "tools",
    "skills",
    "outputSchema",
    "maxTurns",
    "memory",
  ],
  ...["integrationId", "toolId", "configId", "parameters", "agentId", "input", "cases"],
  ...["otherwise", "value", "items", "step", "concurrency", "onItemError", "retry"],
  "onError",
  ...["assets", "query", "topK", "filter", "timeoutSeconds"],
  ...["title", "message", "data", "fields", "actions", "approvers", "minApprovals"],
  ...["allowStarter", "onTimeout", "seconds", "until", "event"],
]);

/** Members that their fields show by their parts, but not as a whole. */
const membersInParts = ["/cases", "/fields", "/actions", "/approvers", "/approvers/chat", "/event"];

type OtherProblemsProps = { step: Members; problems: readonly PointedProblem[] };

/** Refusals that no field shows, such as of a member that the type of step does not have. */
const OtherProblems = ({ step, problems }: OtherProblemsProps) => {
  const others = problems.filter(({ pointer }) => {
    const [, name = ""] = pointer.split("/");
    return !membersWithField.has(name) || membersInParts.includes(pointer);
  });
  if (others.length === 0) return null;
  return (
    <Alert color="red" variant="outline" title={`${textIn(step.type)} was refused`} role="alert">
      <List size="sm">
        {others.map(({ pointer, detail }) => (
          <List.Item key={`${pointer} ${detail}`}>
            <Code>{pointer || "/"}</Code> {detail}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
};
