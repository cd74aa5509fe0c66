import "@xyflow/react/dist/style.css";
import { useMantineColorScheme } from "@mantine/core";
import {
  Background,
  Controls,
  type Edge,
  type EdgeChange,
  type Node,
  type NodeChange,
  ReactFlow,
} from "@xyflow/react";
import { memo, useCallback, useMemo, useRef, useState } from "react";
import { PageLoader } from "../shared/page-loader.tsx";
import { fitGraph, fitOptions, type GraphInstance } from "./fit-graph.ts";
import classes from "./flow-graph.module.css";
import type { FlowModel } from "./flow-model.ts";
import type { Refusals } from "./refusals.ts";
import { StepNode, type StepNodeType } from "./step-node.tsx";
import type { StepStates } from "./step-state.ts";
import { useElements } from "./use-elements.ts";
import { useFitOnResize, useShowSelected } from "./use-show-selected.ts";

type FlowGraphProps = {
  flow: FlowModel;
  /** States of the steps of an execution. */
  states?: StepStates | undefined;
  /** The API's refusals of a draft. */
  refusals?: Refusals | undefined;
  selected: string | undefined;
  onSelect: (stepId: string | undefined) => void;
  /** Edits the flow; without it the graph is only shown. */
  editing?: FlowEditing | undefined;
  /** Height of the box; by default that of the graph, within limits. */
  height?: number | string;
};

/** Changes of a flow by its graph. */
export type FlowEditing = {
  connect: (source: string, target: string) => void;
  /** Removes an edge; `on` is that of the edge. */
  disconnect: (source: string, target: string, on: unknown) => void;
  remove: (stepId: string) => void;
};

const nodeTypes = { step: StepNode };
const proOptions = { hideAttribution: true };
const removeKeys = ["Delete", "Backspace"];
/** Number of steps above which only visible ones are drawn. */
const manySteps = 60;

/** Draws a flow. Steps and edges can be selected by mouse and keyboard, and connected by their handles. */
export const FlowGraph = memo((props: FlowGraphProps) => {
  const { flow, states, refusals, selected, onSelect, editing } = props;
  const { colorScheme } = useMantineColorScheme();
  const [selectedEdge, setSelectedEdge] = useState<string>();
  const { nodes, edges, isReady } = useElements({ flow, states, refusals, selected, selectedEdge });
  const { height = measureHeight(nodes) } = props;
  const box = useRef<HTMLDivElement>(null);
  const [instance, setInstance] = useState<GraphInstance>();
  useShowSelected(instance, box, nodes, selected);
  useFitOnResize(instance, box);

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
  const changeEdges = useCallback((changes: readonly EdgeChange[]): void => {
    for (const change of changes) {
      if (change.type === "select") setSelectedEdge(change.selected ? change.id : undefined);
    }
  }, []);
  const unselect = useCallback((): void => onSelect(undefined), [onSelect]);
  const handlers = useMemo(() => (editing ? createHandlers(editing) : {}), [editing]);
  return (
    <div ref={box} className={classes.graph} style={{ height }}>
      {!isReady && <PageLoader />}
      {isReady && (
        <ReactFlow<StepNodeType>
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
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
          <Controls showInteractive={false} orientation="horizontal" fitViewOptions={fitOptions} />
        </ReactFlow>
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

const createHandlers = ({ connect, disconnect, remove }: FlowEditing) => ({
  onConnect: ({ source, target }: { source: string; target: string }) => connect(source, target),
  onNodesDelete: (removed: readonly Node[]) => {
    for (const { id } of removed) remove(id);
  },
  onEdgesDelete: (removed: readonly Edge[]) => {
    for (const { source, target, data } of removed) disconnect(source, target, data?.on);
  },
});
