import { Badge, Group, Paper, Text } from "@mantine/core";
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { formatCost, formatDuration } from "../../shared/format.ts";
import { describeStep, type FlowStep } from "./flow-model.ts";
import { isRecord } from "./members.ts";
import classes from "./step-node.module.css";
import type { StepState } from "./step-state.ts";

/** A step in the graph. */
export type StepNodeType = Node<
  { step: FlowStep; state: StepState | undefined; refused: number },
  "step"
>;

/** Draws a step: type, name, what it does, and its state in an execution. */
export const StepNode = memo(({ data, selected }: NodeProps<StepNodeType>) => {
  const { step, state, refused } = data;
  return (
    <Paper
      withBorder
      p={8}
      className={classes.step ?? ""}
      data-type={step.type}
      data-status={state?.status}
      data-selected={selected}
      data-refused={refused > 0}
    >
      <Handle type="target" position={Position.Top} />
      <Group justify="space-between" wrap="nowrap" gap={4}>
        <Badge size="xs" variant="default" tt="none" className={classes.type ?? ""}>
          {step.type}
        </Badge>
        {state && <StepSummary state={state} />}
        {refused > 0 && (
          <Text size="xs" c="var(--mantine-color-error)">
            {refused === 1 ? "1 problem" : `${refused} problems`}
          </Text>
        )}
      </Group>
      <Text size="sm" fw={600} truncate>
        {typeof step.name === "string" ? step.name : step.id}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {state?.text ?? (describeStep(step) || step.id)}
      </Text>
      {step.type === "ForEach" && isRecord(step.step) && (
        <Text size="xs" className={classes.nested ?? ""} truncate>
          each: <b>{String(step.step.type)}</b> {describeStep(step.step)}
        </Text>
      )}
      <Handle type="source" position={Position.Bottom} />
    </Paper>
  );
});

const StepSummary = ({ state: { status, durationMs, tokens, cost } }: { state: StepState }) => {
  const facts = [
    durationMs !== undefined && formatDuration(durationMs),
    tokens !== undefined && tokens > 0 && `${tokens} tok`,
    cost !== undefined && cost > 0 && formatCost(cost),
  ].filter(Boolean);
  return (
    <Text size="xs" truncate>
      {[status, ...facts].join(" · ")}
    </Text>
  );
};
