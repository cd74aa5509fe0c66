import { formatSeconds } from "../shared/format.ts";
import { readChoices } from "./choices.ts";
import { isRecord, itemsIn, type Members, textsIn } from "./members.ts";

/** A step of a flow. */
export type FlowStep = Readonly<Record<string, unknown>> & { id: string; type: string };

/** A connection between two steps; the label is its condition. */
export type FlowConnection = {
  source: string;
  target: string;
  label: string | undefined;
  /** The choice of a Condition or an Approval that declares it; undefined for an edge. */
  handle: string | undefined;
  /** Whether it is taken when its source failed. */
  isOnError: boolean;
};

/** A flow to draw. */
export type FlowModel = { steps: readonly FlowStep[]; connections: readonly FlowConnection[] };

const isStep = (value: unknown): value is FlowStep =>
  isRecord(value) && typeof value.id === "string" && typeof value.type === "string";

type Edge = { source: string; target: string; on?: unknown };

const isEdge = (value: unknown): value is Edge =>
  isRecord(value) && typeof value.source === "string" && typeof value.target === "string";

/** Reads a flow as far as it is valid: an unfinished draft is drawn, too. */
export const toFlowModel = (flow: unknown): FlowModel => {
  const { steps, edges } = isRecord(flow) ? flow : {};
  const seen = new Set<string>();
  const valid = itemsIn(steps)
    .filter(isStep)
    .filter(({ id }) => !seen.has(id) && seen.add(id));
  const connections = [
    ...itemsIn(edges).filter(isEdge).map(toConnection),
    ...valid.flatMap(listChoices),
  ];
  return {
    steps: valid,
    connections: connections.filter(({ source, target }) => seen.has(source) && seen.has(target)),
  };
};

const toConnection = ({ source, target, on }: Edge): FlowConnection => ({
  source,
  target,
  label: on === "error" ? "on error" : undefined,
  handle: undefined,
  isOnError: on === "error",
});

const listChoices = (step: FlowStep): FlowConnection[] =>
  readChoices(step).flatMap(({ target, label, handle }) =>
    typeof target === "string"
      ? [{ source: step.id, target, label, handle, isOnError: false }]
      : [],
  );

/** The kinds of a Wait, by the member that it has. */
export const waitKinds = ["seconds", "until", "event", "callback"] as const;
export type WaitKind = (typeof waitKinds)[number];

/** Returns the kind of a Wait. */
export const readWaitKind = (step: Members): WaitKind =>
  waitKinds.find((kind) => step[kind] !== undefined && step[kind] !== null) ?? "seconds";

const describeWait = (step: Members): string => {
  switch (readWaitKind(step)) {
    case "until":
      return `until ${String(step.until)}`;
    case "callback":
      return "for a callback";
    case "event": {
      const types = isRecord(step.event) ? textsIn(step.event.eventTypes) : [];
      return types.length === 0 ? "for an event" : `for ${types.join(", ")}`;
    }
    case "seconds":
      return typeof step.seconds === "number"
        ? formatSeconds(step.seconds)
        : String(step.seconds ?? "");
  }
};

/** Describes a step in one line. */
export const describeStep = (step: Readonly<Record<string, unknown>>): string => {
  switch (step.type) {
    case "Prompt":
      return typeof step.prompt === "string" ? step.prompt : "";
    case "Tool":
      return `${String(step.integrationId ?? "")} · ${String(step.toolId ?? "")}`;
    case "SubAgent":
      return String(step.agentId ?? "");
    case "Condition": {
      const { length } = itemsIn(step.cases);
      return length === 1 ? "1 case" : `${length} cases`;
    }
    case "Retrieve":
      return typeof step.query === "string" ? step.query : "";
    case "ForEach":
      return typeof step.items === "string" ? step.items : "";
    case "Approval":
      return typeof step.title === "string" ? step.title : "";
    case "Wait":
      return describeWait(step);
    case "Transform":
    case "Output":
      return typeof step.value === "string" ? step.value : (JSON.stringify(step.value) ?? "");
    default:
      return "";
  }
};
