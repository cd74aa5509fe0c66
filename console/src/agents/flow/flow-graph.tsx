import "@xyflow/react/dist/style.css";
import { useMantineColorScheme } from "@mantine/core";
import {
  Background,
  type Connection,
  Controls,
  type Edge,
  MarkerType,
  Position,
  ReactFlow,
} from "@xyflow/react";
import { useMemo } from "react";
import type { FlowModel } from "./flow-model.ts";
import { layoutFlow, sizeOf } from "./layout-flow.ts";
import { StepNode, type StepNodeType } from "./step-node.tsx";
import type { StepStates } from "./step-state.ts";

type FlowGraphProps = {
  flow: FlowModel;
  /** States of the steps of an execution. */
  states?: StepStates | undefined;
  selected: string | undefined;
  onSelect: (stepId: string | undefined) => void;
  /** Edits the flow; without it the graph is only shown. */
  editing?: FlowEditing | undefined;
  height?: number | string;
};

/** Changes of a flow by its graph. */
export type FlowEditing = {
  connect: (source: string, target: string) => void;
  disconnect: (source: string, target: string) => void;
  remove: (stepId: string) => void;
};

/** Tells the sizes, which the graph would measure again after each change. */
const measuredAs = (size: { width: number; height: number }) => ({
  ...size,
  measured: size,
  handles: [
    { type: "target" as const, position: Position.Top, x: size.width / 2, y: 0 },
    { type: "source" as const, position: Position.Bottom, x: size.width / 2, y: size.height },
  ],
});

const nodeTypes = { step: StepNode };

/** Draws a flow. Steps can be selected by mouse and keyboard, and connected by their handles. */
export const FlowGraph = (props: FlowGraphProps) => {
  const { flow, states, selected, onSelect, editing, height = 560 } = props;
  const { colorScheme } = useMantineColorScheme();
  const positions = useMemo(() => layoutFlow(flow), [flow]);
  const nodes: StepNodeType[] = flow.steps.map((step) => ({
    id: step.id,
    type: "step",
    ...measuredAs(sizeOf(step.type)),
    position: positions.get(step.id) ?? { x: 0, y: 0 },
    data: { step, state: states?.get(step.id) },
    selected: step.id === selected,
    ariaLabel: `${step.type} ${step.id}`,
  }));
  const edges: Edge[] = flow.connections.map(({ source, target, label, isChoice }) => ({
    id: `${source} ${target} ${label ?? ""}`,
    source,
    target,
    label,
    deletable: !isChoice,
    animated: states?.get(target)?.status === "Running",
    markerEnd: { type: MarkerType.ArrowClosed },
    ...(isChoice && { style: { strokeDasharray: "6 4" } }),
  }));
  const connect = ({ source, target }: Connection): void => editing?.connect(source, target);
  return (
    <div style={{ height, minHeight: 320 }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        colorMode={colorScheme === "auto" ? "system" : colorScheme}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.15 }}
        minZoom={0.1}
        onlyRenderVisibleElements={flow.steps.length > 60}
        nodesDraggable={false}
        nodesConnectable={editing !== undefined}
        deleteKeyCode={editing ? ["Delete", "Backspace"] : null}
        onNodeClick={(_, { id }) => onSelect(id)}
        onPaneClick={() => onSelect(undefined)}
        onSelectionChange={({ nodes: [first] }) => {
          if (first && first.id !== selected) onSelect(first.id);
        }}
        onConnect={connect}
        onNodesDelete={(removed) => {
          for (const { id } of removed) editing?.remove(id);
        }}
        onEdgesDelete={(removed) => {
          for (const { source, target } of removed) editing?.disconnect(source, target);
        }}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
};
