import * as z from "zod";
import { defineStep, toStepResult } from "../step-type.ts";

/** Outputs a JSON value with evaluated expressions. */
export const transformStep = defineStep({
  type: "Transform",
  shape: { value: z.unknown().meta({ description: "Any JSON, with expressions." }) },
  waits: false,
  templated: () => ["value"],
  run: async ({ value }, { select }) => toStepResult(await select(value)),
});
