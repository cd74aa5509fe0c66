const width = 204;
const height = 76;
/** A step that shows the step inside it. */
const nestedHeight = 112;

/** Returns the size of a step of a type in the graph, in pixels. */
export const measureStep = (type: string): { width: number; height: number } => ({
  width,
  height: type === "ForEach" ? nestedHeight : height,
});
