import { graphlib, layout } from "@dagrejs/dagre";
import type { FlowModel } from "./flow-model.ts";

/** Size of a step in the graph, in pixels. */
const stepSize = { width: 220, height: 76, nestedHeight: 112 } as const;

/** Returns the size of a step of a type. */
export const sizeOf = (type: string): { width: number; height: number } => ({
  width: stepSize.width,
  height: type === "ForEach" ? stepSize.nestedHeight : stepSize.height,
});

/** Positions of the steps, by id. */
export type Positions = ReadonlyMap<string, { x: number; y: number }>;

/** Lays a flow out from top to bottom. */
export const layoutFlow = ({ steps, connections }: FlowModel): Positions => {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 40, ranksep: 64, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, type } of steps) {
    graph.setNode(id, sizeOf(type));
  }
  for (const { source, target } of connections) graph.setEdge(source, target);
  layout(graph);
  return new Map(
    steps.map(({ id }) => {
      const { x, y, width, height } = graph.node(id);
      return [id, { x: x - width / 2, y: y - height / 2 }];
    }),
  );
};
