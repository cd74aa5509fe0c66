import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { formatCount, formatDuration, formatKnownCost } from "../shared/format.ts";
import { describeStep, type FlowStep } from "./flow-model.ts";
import { isRecord } from "./members.ts";
import classes from "./step-node.module.css";
import type { StepState } from "./step-state.ts";

/** A step in the graph. */
export type StepNodeType = Node<
  { step: FlowStep; state: StepState | undefined; refused: number },
  "step"
>;

/**
 * Draws a step: type, name, what it does, and its state in an execution. Plain elements, since a graph may have 200
 * steps.
 */
export const StepNode = memo(({ data, selected }: NodeProps<StepNodeType>) => {
  const { step, state, refused } = data;
  return (
    <div
      className={classes.step}
      data-type={step.type}
      data-status={state?.status}
      data-selected={selected}
      data-refused={refused > 0}
    >
      <Handle type="target" position={Position.Top} />
      <div className={classes.head}>
        <span className={classes.type}>{step.type}</span>
        {state && <span className={classes.status}>{state.status}</span>}
        {refused > 0 && (
          <span className={classes.refused}>
            {refused === 1 ? "1 problem" : `${refused} problems`}
          </span>
        )}
      </div>
      <div className={classes.name}>{typeof step.name === "string" ? step.name : step.id}</div>
      <div className={classes.text}>{formatText(step, state)}</div>
      {step.type === "ForEach" && isRecord(step.step) && (
        <div className={classes.nested}>
          {state?.items ? formatItems(state.items) : "each:"} <b>{String(step.step.type)}</b>{" "}
          {describeStep(step.step)}
        </div>
      )}
      <Handle type="source" position={Position.Bottom} />
    </div>
  );
});

const formatText = (step: FlowStep, state: StepState | undefined): string => {
  const facts = state ? formatFacts(state) : "";
  return facts || state?.text || describeStep(step) || (step.name === undefined ? "" : step.id);
};

const formatFacts = ({ durationMs, tokens = 0, cost = 0, priced = true }: StepState): string =>
  [
    durationMs !== undefined && formatDuration(durationMs),
    tokens > 0 && `${formatCount(tokens)} tokens`,
    (cost > 0 || !priced) && formatKnownCost(cost, priced),
  ]
    .filter(Boolean)
    .join(" · ");

const formatItems = ({ count, failed }: { count: number; failed: number }): string =>
  `${formatCount(count)} ×${failed > 0 ? ` (${formatCount(failed)} failed)` : ""}`;
