import { didYouMean } from "../../platform/http/nearest-name.ts";
import type { CheckedTemplate } from "../../values/expression/check-templates-task.ts";
import type { ReadStep } from "./read-step.ts";
import type { FlowProblem } from "./step-type.ts";

/** Lists the steps that wait for a request to an address of their own. */
export const listAddressed = (steps: readonly ReadStep[]): string[] =>
  steps.flatMap(({ plan }) => (plan?.hasAddress ? [plan.base.id] : []));

/** Returns whether an expression may read `callbacks`, by its text. */
export const readsCallbacks = (steps: readonly ReadStep[]): boolean =>
  steps.some(({ templates }) => templates.some(({ text }) => text.includes("callbacks")));

/** Finds addresses that expressions read although the flow has no such step. */
export const checkCallbacks = (
  { templates }: ReadStep,
  known: readonly string[],
  checked: ReadonlyMap<string, CheckedTemplate>,
): FlowProblem[] =>
  templates.flatMap(({ pointer, text }) => {
    const result = checked.get(text);
    const read = result?.ok ? result.callbacks : [];
    return read
      .filter((id) => !known.includes(id))
      .map((id) => {
        const name = id.slice(0, 64);
        const detail = `The expression reads callbacks.${name}, but there is no Wait "${name}" with a callback`;
        return { pointer, detail: didYouMean(detail, id, known) };
      });
  });
