import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { formatCount, formatDuration, formatKnownCost } from "../shared/format.ts";
import { useGraphEditing } from "./editing.ts";
import { describeStep, type FlowStep } from "./flow-model.ts";
import { isRecord } from "./members.ts";
import classes from "./step-node.module.css";
import { listPorts, type Port } from "./step-ports.ts";
import type { StepMark, StepState } from "./step-state.ts";
import { stepIcon } from "./step-types.tsx";

/** A step in the graph. */
export type StepNodeType = Node<
  {
    step: FlowStep;
    state: StepState | undefined;
    refused: number;
    mark: StepMark | undefined;
    /** Ways out of the step that lead nowhere, separated by spaces. */
    open: string;
  },
  "step"
>;

/**
 * Draws a step: type, name, what it does, its ways out, and its state in an execution. Plain elements, since a graph may
 * have 200 steps.
 */
export const StepNode = memo(({ data, selected }: NodeProps<StepNodeType>) => {
  const { step, state, refused, mark, open } = data;
  const { ports } = listPorts(step);
  return (
    <>
      <div
        className={classes.step}
        data-type={step.type}
        data-status={state?.status}
        data-selected={selected}
        data-refused={refused > 0}
        data-mark={mark}
      >
        <div className={classes.head}>
          <span className={classes.type}>
            {stepIcon(step.type)}
            {step.type}
          </span>
          {mark && <span className={classes.mark}>{mark}</span>}
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
      </div>
      <Handle type="target" position={Position.Top} />
      {ports.map((port) => (
        <PortHandle key={port.handle ?? ""} port={port} />
      ))}
      <OpenEnds stepId={step.id} ports={ports} open={open} />
    </>
  );
});

const PortHandle = ({ port }: { port: Port }) => (
  <>
    {port.label !== undefined && (
      <span className={classes.port} style={{ left: port.x }} title={port.label} aria-hidden="true">
        {port.short}
      </span>
    )}
    <Handle
      type="source"
      position={port.isAtSide ? Position.Right : Position.Bottom}
      id={port.handle ?? null}
      title={port.label}
      style={port.isAtSide ? { top: port.y } : { left: port.x }}
    />
  </>
);

type OpenEndsProps = { stepId: string; ports: readonly Port[]; open: string };

/** Buttons that add a step where nothing follows. The keyboard has "Add step" for it. */
const OpenEnds = ({ stepId, ports, open }: OpenEndsProps) => {
  const editing = useGraphEditing();
  if (!editing || open === "") return null;
  const ends = open.split(" ");
  return ports
    .filter(({ handle, isAtSide }) => !isAtSide && ends.includes(handle ?? "default"))
    .map(({ handle, x, y, label }) => (
      <button
        key={handle ?? ""}
        type="button"
        tabIndex={-1}
        className={`${classes.plus} nodrag nopan`}
        style={{ left: x, top: y + plusGap }}
        aria-label={`Add a step after ${stepId}${label === undefined ? "" : `, ${label}`}`}
        onClick={(event) => {
          event.stopPropagation();
          editing.insert({ type: "after", source: stepId, handle });
        }}
      >
        +
      </button>
    ));
};

const plusGap = 12;

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
