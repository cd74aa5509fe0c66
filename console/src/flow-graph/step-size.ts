import { readChoices } from "./choices.ts";
import type { Members } from "./members.ts";

const width = 204;
const height = 76;
/** A step that shows the step inside it. */
const nestedHeight = 112;
/** A step with several ways out shows their names in a row. */
const choicesHeight = 98;
const choiceWidth = 68;

/** Returns the size of a step in the graph, in pixels. */
export const measureStep = (step: Members): { width: number; height: number } => {
  const { length } = readChoices(step);
  return {
    width: Math.max(width, length * choiceWidth),
    height: step.type === "ForEach" ? nestedHeight : length > 0 ? choicesHeight : height,
  };
};
