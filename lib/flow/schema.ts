import * as z from "zod";
import { stepTypes } from "./steps/index.ts";

/** An edge makes its target wait for its source. */
export const Edge = z.object({
  source: z.string().meta({ description: "Id of the step that goes first." }),
  target: z.string().meta({ description: "Id of the step that waits for it." }),
});
export type Edge = z.output<typeof Edge>;

/** A step of any type. */
export const Step = z.union(stepTypes.map(({ schema }) => schema));

/** Steps and the edges between them, as `compileFlow` understands them. */
export const Flow = z.object({
  steps: z.array(Step).max(200),
  edges: z.array(Edge).max(2_000),
});
