import { Button, CloseButton, Fieldset, Group, Paper, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { Draft } from "../../../flow-graph/edit-flow.ts";
import type { Refusals } from "../../../flow-graph/refusals.ts";
import { findStep, listSteps } from "../list-steps.ts";
import { RevisionPanel } from "./revision-panel.tsx";
import { StepPanel } from "./step-panel.tsx";

type FlowPanelProps = {
  agentId: string;
  draft: Draft;
  selected: string | undefined;
  onSelect: (stepId: string | undefined) => void;
  onClose: () => void;
  onDuplicate: (() => void) | undefined;
  onRemove: (() => void) | undefined;
  onChange: (draft: Draft) => void;
  refusals: Refusals;
  isReadOnly: boolean;
  className: string | undefined;
  /** Last run of the selected step. */
  children?: ReactNode;
};

/** Edits the selected step by fields; without one, the revision. */
export const FlowPanel = (props: FlowPanelProps) => {
  const { agentId, draft, selected, onSelect, onClose, onDuplicate, onRemove } = props;
  const { onChange, refusals, isReadOnly, className, children } = props;
  const step = findStep(draft, selected);
  return (
    <Paper withBorder p="md" component="section" aria-label="Selection" className={className ?? ""}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h4">
            {step ? step.type : "Settings of the revision"}
          </Title>
          <Group gap={4} wrap="nowrap">
            {step && onDuplicate && (
              <Button variant="default" size="compact-sm" title="Ctrl+D" onClick={onDuplicate}>
                Duplicate
              </Button>
            )}
            {step && onRemove && (
              <Button variant="default" size="compact-sm" onClick={onRemove}>
                Remove step
              </Button>
            )}
            <CloseButton aria-label="Close selection" onClick={onClose} />
          </Group>
        </Group>
        {step && children}
        <Fieldset variant="unstyled" m={0} disabled={isReadOnly}>
          {step ? (
            <StepPanel
              agentId={agentId}
              draft={draft}
              step={step}
              steps={listSteps(draft)}
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
