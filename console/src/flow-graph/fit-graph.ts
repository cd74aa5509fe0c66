import type { ReactFlowInstance } from "@xyflow/react";
import type { FlowEdgeType } from "./flow-edge.tsx";
import type { StepNodeType } from "./step-node.tsx";

/** The drawn graph. */
export type GraphInstance = ReactFlowInstance<StepNodeType, FlowEdgeType>;

/** Options that fit a graph into its box. */
export const fitOptions = { maxZoom: 1, padding: 0.08 };

/** Width of a box, in pixels, below which a whole graph can hardly be read. */
const narrowWidth = 460;
const readableZoom = 0.75;
const margin = 16;

/** Shows the whole graph. In a narrow box, it shows as much of the start as can be read. */
export const fitGraph = (instance: GraphInstance, box: HTMLElement): void => {
  const nodes = instance.getNodes();
  const { x, y, width, height } = instance.getNodesBounds(nodes);
  const isReadable =
    Math.min(box.clientWidth / width, box.clientHeight / height) * (1 - fitOptions.padding) >=
    readableZoom;
  if (isReadable || box.clientWidth >= narrowWidth) {
    void instance.fitView(fitOptions);
    return;
  }
  const shown = box.clientWidth / readableZoom;
  const first = nodes.find(({ position }) => position.y === y);
  const middle = first ? first.position.x + (first.width ?? 0) / 2 : x + width / 2;
  const left =
    width <= shown ? x - (shown - width) / 2 : clamp(middle - shown / 2, x, x + width - shown);
  void instance.setViewport({
    zoom: readableZoom,
    x: -left * readableZoom,
    y: margin - y * readableZoom,
  });
};

const clamp = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most);
