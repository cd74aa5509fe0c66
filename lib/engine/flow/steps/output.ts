import * as z from "zod";
import { defineStep, toStepResult } from "../step-type.ts";

/** Ends the flow; its value becomes the execution's output. */
export const outputStep = defineStep({
  type: "Output",
  shape: { value: z.unknown().meta({ description: "Any JSON, with expressions." }) },
  waits: false,
  ends: true,
  templated: () => ["value"],
  run: async ({ value }, { select }) => toStepResult(await select(value)),
});
