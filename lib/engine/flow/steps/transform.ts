import * as z from "zod";
import { defineStep } from "../step-type.ts";

/** Gives any JSON, made with expressions. */
export const transformStep = defineStep({
  type: "Transform",
  shape: { value: z.unknown().meta({ description: "Any JSON, with expressions." }) },
  waits: false,
  templated: () => ["value"],
  run: async ({ value }, { evaluate }) => ({ output: await evaluate(value) }),
});
