import { useEffect, useMemo, useRef, useState } from "react";
import type { FlowModel } from "./flow-model.ts";
import type { FlowShape, Positions } from "./layout-flow.ts";
import type { LayoutRequest, LayoutResponse } from "./layout-worker.ts";
import { measureStep } from "./step-size.ts";

/**
 * Returns the positions of the steps; none until the first layout. It is made in a worker, and again only when steps or
 * connections have changed, not what the steps do.
 */
export const usePositions = (flow: FlowModel): Positions | undefined => {
  const [positions, setPositions] = useState<Positions>();
  const send = useRef<(shape: FlowShape) => void>(undefined);
  const key = useMemo(() => JSON.stringify(toShape(flow)), [flow]);
  useEffect(() => {
    const worker = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
    let latest = 0;
    worker.addEventListener("message", ({ data }: MessageEvent<LayoutResponse>) => {
      if (data.number === latest) setPositions(new Map(data.places));
    });
    send.current = (shape) => {
      latest += 1;
      const request: LayoutRequest = { number: latest, shape };
      worker.postMessage(request);
    };
    return () => worker.terminate();
  }, []);
  useEffect(() => send.current?.(JSON.parse(key)), [key]);
  return positions;
};

const toShape = ({ steps, connections }: FlowModel): FlowShape => ({
  steps: steps.map((step) => ({ id: step.id, ...measureStep(step) })),
  connections: connections.map(({ source, target }) => ({ source, target })),
});
