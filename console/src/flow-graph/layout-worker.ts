import { type FlowShape, layoutFlow } from "./layout-flow.ts";

/** A flow to lay out; its number comes back with the positions. */
export type LayoutRequest = { number: number; shape: FlowShape };

/** The positions of a flow. */
export type LayoutResponse = { number: number; places: ReturnType<typeof layoutFlow> };

// Runs in a thread of its own: the layout of 200 steps takes longer than a frame.
self.addEventListener("message", ({ data }: MessageEvent<LayoutRequest>) => {
  const response: LayoutResponse = { number: data.number, places: layoutFlow(data.shape) };
  self.postMessage(response);
});
