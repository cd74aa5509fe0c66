import "@xyflow/react/dist/style.css";
import { useMantineColorScheme } from "@mantine/core";
import {
  Background,
  type Connection,
  Controls,
  type EdgeChange,
  type FinalConnectionState,
  type Node,
  type NodeChange,
  ReactFlow,
} from "@xyflow/react";
import { memo, useCallback, useMemo, useRef, useState } from "react";
import { PageLoader } from "../shared/page-loader.tsx";
import { EditingContext, type FlowEditing, type InsertPlace } from "./editing.ts";
import { fitGraph, fitOptions, type GraphInstance } from "./fit-graph.ts";
import { FlowEdge, type FlowEdgeType } from "./flow-edge.tsx";
import classes from "./flow-graph.module.css";
import type { FlowModel } from "./flow-model.ts";
import type { Refusals } from "./refusals.ts";
import { StepNode, type StepNodeType } from "./step-node.tsx";
import type { StepMark, StepStates } from "./step-state.ts";
import { useElements } from "./use-elements.ts";
import { useAutoFit, useShowSelected } from "./use-show-selected.ts";

type FlowGraphProps = {
  flow: FlowModel;
  /** States of the steps of an execution. */
  states?: StepStates | undefined;
  /** The API's refusals of a draft. */
  refusals?: Refusals | undefined;
  /** Marks of steps by their ids. */
  marks?: ReadonlyMap<string, StepMark> | undefined;
  selected: string | undefined;
  onSelect: (stepId: string | undefined) => void;
  /** Called with the place of a selected edge, where the next step is added. */
  onSelectEdge?: ((place: InsertPlace | undefined) => void) | undefined;
  /** Edits the flow; without it the graph is only shown. */
  editing?: FlowEditing | undefined;
  /** Height of the box; by default that of the graph, within limits. */
  height?: number | string;
};

const nodeTypes = { step: StepNode };
const edgeTypes = { flow: FlowEdge };
const proOptions = { hideAttribution: true };
const removeKeys = ["Delete", "Backspace"];
/** Number of steps above which only visible ones are drawn. */
const manySteps = 60;

/** Draws a flow. Steps and edges can be selected by mouse and keyboard, and connected by their handles. */
export const FlowGraph = memo((props: FlowGraphProps) => {
  const { flow, states, refusals, marks, selected, onSelect, onSelectEdge, editing } = props;
  const { colorScheme } = useMantineColorScheme();
  const [selectedEdge, setSelectedEdge] = useState<string>();
  const { nodes, edges, isReady } = useElements({
    ...{ flow, states, refusals, marks, selected, selectedEdge },
  });
  const { height = measureHeight(nodes) } = props;
  const box = useRef<HTMLDivElement>(null);
  const [instance, setInstance] = useState<GraphInstance>();
  const moved = useAutoFit(instance, box, nodes);
  useShowSelected(instance, box, nodes, selected);

  const open = useCallback((drawn: GraphInstance): void => {
    setInstance(drawn);
    if (box.current) fitGraph(drawn, box.current);
  }, []);
  const changeNodes = useCallback(
    (changes: readonly NodeChange<StepNodeType>[]): void => {
      const chosen = changes.find((change) => change.type === "select" && change.selected);
      if (chosen?.type === "select") onSelect(chosen.id);
    },
    [onSelect],
  );
  const selectEdge = useCallback(
    (id: string | undefined): void => {
      setSelectedEdge(id);
      onSelectEdge?.(toPlace(edges.find((edge) => edge.id === id)));
    },
    [edges, onSelectEdge],
  );
  const changeEdges = useCallback(
    (changes: readonly EdgeChange<FlowEdgeType>[]): void => {
      for (const change of changes) {
        if (change.type === "select") selectEdge(change.selected ? change.id : undefined);
      }
    },
    [selectEdge],
  );
  const unselect = useCallback((): void => {
    onSelect(undefined);
    selectEdge(undefined);
  }, [onSelect, selectEdge]);
  const handlers = useMemo(() => (editing ? createHandlers(editing) : {}), [editing]);
  return (
    <div ref={box} className={classes.graph} style={{ height }}>
      {!isReady && <PageLoader />}
      {isReady && (
        <EditingContext value={editing}>
          <ReactFlow<StepNodeType, FlowEdgeType>
            nodes={nodes}
            edges={edges}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            connectionRadius={30}
            onMove={moved}
            colorMode={colorScheme === "auto" ? "system" : colorScheme}
            minZoom={0.05}
            onlyRenderVisibleElements={flow.steps.length > manySteps}
            nodesDraggable={false}
            edgesFocusable={editing !== undefined}
            nodesConnectable={editing !== undefined}
            deleteKeyCode={editing ? removeKeys : null}
            onInit={open}
            onNodesChange={changeNodes}
            onEdgesChange={changeEdges}
            onPaneClick={unselect}
            {...handlers}
            proOptions={proOptions}
          >
            <Background />
            <Controls
              showInteractive={false}
              orientation="horizontal"
              fitViewOptions={fitOptions}
            />
          </ReactFlow>
        </EditingContext>
      )}
    </div>
  );
});

const [least, most] = [320, 620];
const margins = 80;

const measureHeight = (nodes: readonly StepNodeType[]): number => {
  const ends = nodes.map(({ position, height = 0 }) => position.y + height);
  return Math.min(most, Math.max(least, ...ends.map((end) => end + margins)));
};

const toPlace = (edge: FlowEdgeType | undefined): InsertPlace | undefined => {
  if (!edge) return undefined;
  const { source, target, data } = edge;
  const on = data?.on;
  return {
    type: "between",
    connected: { source, target, handle: data?.handle, ...(on && { on }) },
  };
};

const createHandlers = ({ connect, disconnect, remove, insert }: FlowEditing) => ({
  onConnect: ({ source, target, sourceHandle }: Connection) =>
    connect({ source, target, handle: sourceHandle ?? undefined }),
  // A connection that ends on free space adds the step that it leads to.
  onConnectEnd: (
    _event: unknown,
    { isValid, fromNode, fromHandle, toNode }: FinalConnectionState,
  ) => {
    if (isValid || toNode || !fromNode || fromHandle?.type !== "source") return;
    insert({ type: "after", source: fromNode.id, handle: fromHandle.id ?? undefined });
  },
  onNodesDelete: (removed: readonly Node[]) => {
    for (const { id } of removed) remove(id);
  },
  onEdgesDelete: (removed: readonly FlowEdgeType[]) => {
    for (const { source, target, data } of removed) disconnect(source, target, data?.on);
  },
});
