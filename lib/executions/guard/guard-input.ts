import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { blockedDetail } from "../../engine/guardrails/blocked-error.ts";
import type { CheckOptions, Guard } from "../../engine/guardrails/guard.ts";
import type { CheckVerdict } from "../../engine/guardrails/schemas.ts";
import type { Blocked } from "../../engine/step-error.ts";
import { isRecord, type Json, type JsonObject } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import type { CallerContext } from "../schemas.ts";

const Texts = z.array(z.string());

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
  const all = { ...shown, ...(context && { [name]: listTexts(context) }) };
  const { value, verdicts, blocked } = await guard.check("input", all, options);
  if (blocked) return { blocked, detail: blockedDetail("input", blocked), verdicts };
  const { [name]: sent, ...checked }: JsonObject = isRecord(value) ? value : {};
  const masked = Object.entries(checked).filter(
    ([name, member]) => !isDeepStrictEqual(member, shown[name]),
  );
  return {
    masked: Object.fromEntries(masked),
    context: context && withTexts(context, sent),
    verdicts,
  };
};

/** Returns a name that no input has. */
const findFreeName = (values: JsonObject, name = "context"): string =>
  Object.hasOwn(values, name) ? findFreeName(values, `_${name}`) : name;

/** Lists the texts of a context, the instructions first. */
const listTexts = ({ instructions = "", messages }: CallerContext): string[] => [
  instructions,
  ...messages.map(({ text }) => text),
];

/** Puts checked texts back in a context. */
const withTexts = (
  { instructions, messages }: CallerContext,
  sent: Json | undefined,
): CallerContext => {
  const [first, ...others] = Texts.parse(sent);
  return {
    ...(instructions !== undefined && { instructions: first ?? "" }),
    messages: messages.map(({ role }, at) => ({ role, text: others[at] ?? "" })),
  };
};
