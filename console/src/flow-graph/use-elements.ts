import { replaceEqualDeep } from "@tanstack/react-query";
import { MarkerType, Position } from "@xyflow/react";
import { useMemo, useRef } from "react";
import type { FlowEdgeType } from "./flow-edge.tsx";
import type { FlowConnection, FlowModel, FlowStep } from "./flow-model.ts";
import type { Refusals } from "./refusals.ts";
import type { StepNodeType } from "./step-node.tsx";
import { listPorts, type Port } from "./step-ports.ts";
import type { StepMark, StepStates } from "./step-state.ts";
import { usePositions } from "./use-positions.ts";

type Shown = {
  flow: FlowModel;
  states: StepStates | undefined;
  refusals: Refusals | undefined;
  marks: ReadonlyMap<string, StepMark> | undefined;
  selected: string | undefined;
  selectedEdge: string | undefined;
};

/**
 * Returns the nodes and edges of a flow. What did not change stays the same object, so that a step that is selected or
 * edited is the only one that is drawn again.
 */
export const useElements = ({ flow, states, refusals, marks, selected, selectedEdge }: Shown) => {
  const positions = usePositions(flow);
  const drawn = useRef<ReadonlyMap<string, StepNodeType>>(new Map());
  const followed = useMemo(
    () => new Set(flow.connections.map(({ source, handle }) => `${source} ${handle ?? "default"}`)),
    [flow],
  );
  const nodes = useMemo(() => {
    const next = flow.steps.flatMap((step) => {
      const position = positions?.get(step.id);
      // A step that was just added has no place yet.
      if (!position) return [];
      const node = toNode(step, {
        position,
        state: states?.get(step.id),
        refused: refusals?.steps.get(step.id)?.length ?? 0,
        mark: marks?.get(step.id),
        isSelected: step.id === selected,
        isFollowed: (handle) => followed.has(`${step.id} ${handle}`),
      });
      const before = drawn.current.get(step.id);
      return before && isSame(before, node) ? before : node;
    });
    drawn.current = new Map(next.map((node) => [node.id, node]));
    return next;
  }, [flow, positions, states, refusals, marks, selected, followed]);
  const known = useRef<readonly FlowConnection[]>([]);
  known.current = replaceEqualDeep(known.current, flow.connections);
  const connections = known.current;
  const all = useMemo(
    () =>
      connections
        .filter(({ source, target }) => positions?.has(source) && positions.has(target))
        .map((connection) => toEdge(connection, states, refusals)),
    [connections, positions, states, refusals],
  );
  const edges = useMemo(
    () => all.map((edge) => (edge.id === selectedEdge ? { ...edge, selected: true } : edge)),
    [all, selectedEdge],
  );
  return { nodes, edges, isReady: positions !== undefined };
};

type Facts = {
  position: { x: number; y: number };
  state: StepNodeType["data"]["state"];
  refused: number;
  mark: StepMark | undefined;
  isSelected: boolean;
  isFollowed: (handle: string) => boolean;
};

const toNode = (step: FlowStep, facts: Facts): StepNodeType => {
  const { position, state, refused, mark, isSelected, isFollowed } = facts;
  const { ports, size } = listPorts(step);
  const isEnd = step.type !== "Output";
  const open = ports.map(({ handle }) => handle ?? "default").filter((end) => !isFollowed(end));
  return {
    id: step.id,
    type: "step",
    ...measuredAs(size, ports),
    position,
    data: { step, state, refused, mark, open: isEnd ? open.join(" ") : "" },
    selected: isSelected,
    ariaLabel: `${step.type} ${step.id}`,
  };
};

const isSame = (before: StepNodeType, after: StepNodeType): boolean =>
  before.data.step === after.data.step &&
  before.data.state === after.data.state &&
  before.data.refused === after.data.refused &&
  before.data.mark === after.data.mark &&
  before.data.open === after.data.open &&
  before.position.x === after.position.x &&
  before.position.y === after.position.y &&
  before.selected === after.selected;

/** Sets the sizes, which the graph would measure again after each change. */
const measuredAs = (size: { width: number; height: number }, ports: readonly Port[]) => ({
  ...size,
  measured: size,
  handles: [
    { type: "target" as const, position: Position.Top, x: size.width / 2, y: 0 },
    ...ports.map(({ handle, x, y, isAtSide }) => ({
      type: "source" as const,
      position: isAtSide ? Position.Right : Position.Bottom,
      ...{ x, y, id: handle ?? null },
    })),
  ],
});

/** Maximum characters of a choice's label; labels are placed next to each other. */
const longestLabel = 20;

const shorten = (label: string): string =>
  label.length > longestLabel ? `${label.slice(0, longestLabel - 1)}…` : label;

const toEdge = (
  { source, target, label, handle, isOnError }: FlowConnection,
  states: StepStates | undefined,
  refusals: Refusals | undefined,
): FlowEdgeType => {
  const isRefused = refusals?.edges.some(
    (edge) =>
      edge.source === source && edge.target === target && (edge.on === "error") === isOnError,
  );
  return {
    id: `${source} ${target} ${handle ?? label ?? ""}`,
    type: "flow",
    source,
    target,
    ...(handle !== undefined && { sourceHandle: handle }),
    deletable: handle === undefined,
    data: { on: isOnError ? "error" : undefined, handle, text: label && shorten(label) },
    animated: states?.get(target)?.status === "Running",
    markerEnd: { type: MarkerType.ArrowClosed, color: "var(--flow-line)" },
    style: {
      ...(handle !== undefined && { strokeDasharray: "6 4" }),
      ...(isOnError && { strokeDasharray: "2 3", stroke: "var(--mantine-color-error)" }),
      ...(isRefused && { stroke: "var(--mantine-color-error)", strokeWidth: 2 }),
    },
  };
};
