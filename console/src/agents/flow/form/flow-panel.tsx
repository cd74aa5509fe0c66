import { Fieldset, Paper, Select, Stack } from "@mantine/core";
import { type Draft, readFlow } from "../../../flow-graph/edit-flow.ts";
import type { FlowStep } from "../../../flow-graph/flow-model.ts";
import { isRecord } from "../../../flow-graph/members.ts";
import type { Refusals } from "../../../flow-graph/refusals.ts";
import { RevisionPanel } from "./revision-panel.tsx";
import { StepPanel } from "./step-panel.tsx";
import { unmounted } from "./text-fields.tsx";

type FlowPanelProps = {
  agentId: string;
  draft: Draft;
  selected: string | undefined;
  onSelect: (stepId: string | undefined) => void;
  onChange: (draft: Draft) => void;
  refusals: Refusals;
  isReadOnly: boolean;
  className: string | undefined;
};

const isStep = (value: unknown): value is FlowStep =>
  isRecord(value) && typeof value.id === "string" && typeof value.type === "string";

const formatLabel = ({ id, name, type }: FlowStep): string =>
  typeof name === "string" && name !== "" ? `${name} (${id}, ${type})` : `${id} (${type})`;

/** Edits the selected step by fields; without one, the revision. */
export const FlowPanel = (props: FlowPanelProps) => {
  const { agentId, draft, selected, onSelect, onChange, refusals, isReadOnly, className } = props;
  const valid = readFlow(draft).steps.filter(isStep);
  const steps = [...new Map(valid.map((step) => [step.id, formatLabel(step)]))].map(
    ([value, label]) => ({ value, label }),
  );
  const step = valid.find(({ id }) => id === selected);
  return (
    <Paper withBorder p="md" component="section" aria-label="Selection" className={className ?? ""}>
      <Stack gap="sm">
        <Select
          comboboxProps={unmounted}
          label="Selected"
          searchable
          clearable
          clearButtonProps={{ "aria-label": "Select nothing" }}
          placeholder="The revision"
          nothingFoundMessage="No step has this name"
          value={step?.id ?? null}
          data={steps}
          onChange={(id) => onSelect(id ?? undefined)}
        />
        <Fieldset variant="unstyled" m={0} disabled={isReadOnly}>
          {step ? (
            <StepPanel
              agentId={agentId}
              draft={draft}
              step={step}
              steps={steps}
              onChange={onChange}
              onRename={onSelect}
              refusals={refusals}
              isReadOnly={isReadOnly}
            />
          ) : (
            <RevisionPanel draft={draft} onChange={onChange} refusals={refusals} />
          )}
        </Fieldset>
      </Stack>
    </Paper>
  );
};
