import * as z from "zod";
import type { Json } from "../../../values/json/json.ts";
import { StepError } from "../../step-error.ts";
import { defineStep } from "../step-type.ts";

const maxItems = 10_000;
/** No step could send the address of an item. */
const noAddress =
  "cannot be used inside a ForEach: run a SubAgent for each item, which sends its address and waits";

/** Runs its inner step for each item; outputs their outputs in order. */
export const forEachStep = defineStep({
  type: "ForEach",
  shape: {
    items: z.union([z.array(z.unknown()), z.string()], "must be an array or an expression"),
    step: z.unknown(),
    concurrency: z.int().min(1).max(10).default(1),
    onItemError: z.enum(["fail", "collect"]).default("fail"),
  },
  waits: true,
  timeoutSeconds: Number.POSITIVE_INFINITY,
  inner: "step",
  templated: () => ["items"],
  checkInner: ({ targets, hasAddress }) => [
    ...targets.map(({ pointer }) => ({ pointer, detail: "cannot be chosen inside a ForEach" })),
    ...(hasAddress ? [{ pointer: "/callback", detail: noAddress }] : []),
  ],
  async run({ items: template, concurrency, onItemError }, { evaluate, note, runItems }) {
    const items = toList(await evaluate(template));
    note({ input: { items: items.length } });
    if (items.length > maxItems) {
      const detail = `"items" has ${items.length} items; at most ${maxItems} are allowed.`;
      throw new StepError("execution-failed", detail);
    }
    return { output: await runItems(items, { concurrency, collect: onItemError === "collect" }) };
  },
});

/** JSONata does not distinguish a value from a list of one, nor no value from an empty list. */
const toList = (value: Json): readonly Json[] => {
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
};
