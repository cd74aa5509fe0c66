import { readChoices } from "./choices.ts";
import type { Members } from "./members.ts";
import { measureStep } from "./step-size.ts";

/** A way out of a step in the graph, with its place in the step. */
export type Port = {
  /** The choice; undefined for edges. */
  handle: string | undefined;
  label: string | undefined;
  /** The label in a few characters. */
  short: string | undefined;
  x: number;
  y: number;
  isAtSide: boolean;
};

const shortLength = 9;

const shorten = (label: string): string =>
  label.length > shortLength ? `${label.slice(0, shortLength - 1)}…` : label;

/** Returns the ways out of a step, from left to right: its choices are at the bottom, and edges then leave at the side. */
export const listPorts = (
  step: Members,
): { ports: Port[]; size: ReturnType<typeof measureStep> } => {
  const size = measureStep(step);
  const choices = readChoices(step);
  const ports = choices.map(({ handle, label }, at): Port => {
    const [list, place] = handle.split("/");
    const short = list === "cases" ? `case ${Number(place) + 1}` : shorten(label);
    const x = (size.width * (at + 0.5)) / choices.length;
    return { handle, label: label || short, short, x, y: size.height, isAtSide: false };
  });
  const isAtSide = choices.length > 0;
  const rest = {
    handle: undefined,
    label: undefined,
    short: undefined,
    x: isAtSide ? size.width : size.width / 2,
    y: isAtSide ? size.height / 2 : size.height,
    isAtSide,
  };
  return { ports: [...ports, rest], size };
};
