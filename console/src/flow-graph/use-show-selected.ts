import { type RefObject, useCallback, useEffect, useRef } from "react";
import { fitGraph, type GraphInstance } from "./fit-graph.ts";
import type { StepNodeType } from "./step-node.tsx";

/**
 * Moves the graph to the selected step if it is outside of the visible part, such as a new step.
 */
export const useShowSelected = (
  instance: GraphInstance | undefined,
  box: RefObject<HTMLDivElement | null>,
  nodes: readonly StepNodeType[],
  selected: string | undefined,
): void => {
  const node = nodes.find(({ id }) => id === selected);
  const { x, y } = node?.position ?? { x: undefined, y: undefined };
  const { width = 0, height = 0 } = node ?? {};
  useEffect(() => {
    if (!instance || !box.current || x === undefined || y === undefined) return;
    const view = instance.getViewport();
    const left = x * view.zoom + view.x;
    const top = y * view.zoom + view.y;
    const isShown =
      left >= 0 &&
      top >= 0 &&
      left + width * view.zoom <= box.current.clientWidth &&
      top + height * view.zoom <= box.current.clientHeight;
    if (!isShown) void instance.setCenter(x + width / 2, y + height / 2, { zoom: view.zoom });
  }, [instance, box, x, y, width, height]);
};

/**
 * Fits the graph into its box again when that gets another size, or the flow other steps, until the user moves it.
 * Returns the handler of movements.
 */
export const useAutoFit = (
  instance: GraphInstance | undefined,
  box: RefObject<HTMLDivElement | null>,
  nodes: readonly StepNodeType[],
): ((event: unknown) => void) => {
  const isMoved = useRef(false);
  const places = nodes.map(({ id, position }) => `${id} ${position.x} ${position.y}`).join();
  useEffect(() => {
    const element = box.current;
    if (!instance || !element || places === "" || isMoved.current) return;
    // The graph draws its new steps first.
    const frame = requestAnimationFrame(() => fitGraph(instance, element));
    return () => cancelAnimationFrame(frame);
  }, [instance, box, places]);
  useEffect(() => {
    const element = box.current;
    if (!instance || !element) return;
    let fitted = `${element.clientWidth} ${element.clientHeight}`;
    const observer = new ResizeObserver(() => {
      const size = `${element.clientWidth} ${element.clientHeight}`;
      if (size === fitted || isMoved.current) return;
      fitted = size;
      // The graph learns its new size from an observer of its own.
      requestAnimationFrame(() => fitGraph(instance, element));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [instance, box]);
  // A movement without an event is that of the button "fit view", or of the graph itself.
  return useCallback((event) => {
    isMoved.current = event !== null;
  }, []);
};
