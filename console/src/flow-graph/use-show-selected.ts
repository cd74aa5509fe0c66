import { type RefObject, useEffect } from "react";
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

/** Fits the graph into its box again when that gets another width, such as when details open next to it. */
export const useFitOnResize = (
  instance: GraphInstance | undefined,
  box: RefObject<HTMLDivElement | null>,
): void => {
  useEffect(() => {
    const element = box.current;
    if (!instance || !element) return;
    let fitted = element.clientWidth;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === fitted) return;
      fitted = element.clientWidth;
      // The graph learns its new size from an observer of its own.
      requestAnimationFrame(() => fitGraph(instance, element));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [instance, box]);
};
