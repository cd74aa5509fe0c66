import { isDeepStrictEqual } from "node:util";
import { blockedDetail } from "../../engine/guardrails/blocked-error.ts";
import type { CheckOptions, Guard } from "../../engine/guardrails/guard.ts";
import type { CheckVerdict } from "../../engine/guardrails/schemas.ts";
import type { Blocked } from "../../engine/step-error.ts";
import { isRecord, type JsonObject } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import { CallerContext } from "../schemas.ts";

/** Checked inputs: those that a check masked, or the check that blocked them. */
export type GuardedInput =
  | {
      readonly masked: JsonObject;
      /** The context with the masks of the checks. */
      readonly context: CallerContext | undefined;
      readonly verdicts: readonly CheckVerdict[];
    }
  | {
      readonly blocked: Blocked;
      readonly detail: string;
      readonly verdicts: readonly CheckVerdict[];
    };

/**
 * Checks the inputs of an execution but secret ones, which no check reads, and the caller's context as one more input.
 * Rejects as `check` of a guard does.
 */
export const guardInput = async (
  guard: Guard,
  {
    parameters,
    values,
    context,
  }: {
    parameters: readonly ParameterDescriptor[];
    values: JsonObject;
    context: CallerContext | undefined;
  },
  options: CheckOptions = { which: "local" },
): Promise<GuardedInput> => {
  const secret = new Set(parameters.flatMap(({ name, secret }) => (secret ? [name] : [])));
  const shown = Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)));
  const name = findFreeName(values);
  const all = { ...shown, ...(context && { [name]: toJson(context) }) };
  const { value, verdicts, blocked } = await guard.check("input", all, options);
  if (blocked) return { blocked, detail: blockedDetail("input", blocked), verdicts };
  const { [name]: sent, ...checked }: JsonObject = isRecord(value) ? value : {};
  const masked = Object.entries(checked).filter(
    ([name, member]) => !isDeepStrictEqual(member, shown[name]),
  );
  return {
    masked: Object.fromEntries(masked),
    context: context && CallerContext.parse(sent),
    verdicts,
  };
};

/** Returns a name that no input has. */
const findFreeName = (values: JsonObject, name = "context"): string =>
  Object.hasOwn(values, name) ? findFreeName(values, `_${name}`) : name;

const toJson = ({ instructions, messages }: CallerContext): JsonObject => ({
  ...(instructions !== undefined && { instructions }),
  messages: messages.map(({ role, text }) => ({ role, text })),
});
