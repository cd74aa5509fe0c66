import * as z from "zod";
import { isTemplate } from "../../../values/expression/template-text.ts";
import { buildPointer } from "../../../values/json/json.ts";
import { defineStep } from "../step-type.ts";
import { isTruthy } from "../truth.ts";

/** An expression, with or without `{%` and `%}`. */
const When = z.union([
  z.string().transform((text) => (isTemplate(text) ? text : `{% ${text} %}`)),
  z.boolean(),
]);

/** Chooses the next step: the target of the first case that is true, or `otherwise`. */
export const conditionStep = defineStep({
  type: "Condition",
  shape: {
    cases: z
      .array(z.object({ when: When, target: z.string() }))
      .min(1)
      .max(100),
    otherwise: z.string().nullish(),
  },
  waits: false,
  templated: () => ["cases"],
  targets: ({ cases, otherwise }) => [
    ...cases.map(({ target }, index) => ({
      pointer: buildPointer("cases", index, "target"),
      target,
    })),
    ...(otherwise ? [{ pointer: buildPointer("otherwise"), target: otherwise }] : []),
  ],
  async run({ cases, otherwise }, { evaluate }) {
    for (const { when, target } of cases) {
      if (isTruthy(await evaluate(when))) return { output: target };
    }
    return { output: otherwise ?? null };
  },
});
