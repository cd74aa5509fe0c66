import { graphlib, layout } from "@dagrejs/dagre";

/** Input of a layout: sizes of steps, and their connections. */
export type FlowShape = {
  steps: readonly { id: string; width: number; height: number }[];
  connections: readonly { source: string; target: string }[];
};

/** A place in the graph, in pixels. */
type Position = { x: number; y: number };

/** Positions of the steps, by id. */
export type Positions = ReadonlyMap<string, Position>;

/** Lays a flow out from top to bottom. */
export const layoutFlow = ({ steps, connections }: FlowShape): [id: string, Position][] => {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 20, ranksep: 52, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of steps) graph.setNode(id, { width, height });
  for (const { source, target } of connections) graph.setEdge(source, target);
  layout(graph);
  return steps.map(({ id }) => {
    const { x, y, width, height } = graph.node(id);
    return [id, { x: x - width / 2, y: y - height / 2 }];
  });
};
