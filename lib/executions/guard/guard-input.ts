import { isDeepStrictEqual } from "node:util";
import { blockedDetail } from "../../engine/guardrails/blocked-error.ts";
import type { Guard } from "../../engine/guardrails/guard.ts";
import type { CheckVerdict } from "../../engine/guardrails/schemas.ts";
import type { Blocked } from "../../engine/step-error.ts";
import { isRecord, type JsonObject } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";

/** Checked inputs: those that a check masked, or the check that blocked them. */
export type GuardedInput =
  | { readonly masked: JsonObject; readonly verdicts: readonly CheckVerdict[] }
  | { readonly blocked: Blocked; readonly detail: string };

/** Checks the inputs of an execution but secret ones, which no check reads. */
export const guardInput = async (
  guard: Guard,
  parameters: readonly ParameterDescriptor[],
  values: JsonObject,
): Promise<GuardedInput> => {
  const secret = new Set(parameters.flatMap(({ name, secret }) => (secret ? [name] : [])));
  const shown = Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)));
  const { value, verdicts, blocked } = await guard.check("input", shown);
  if (blocked) return { blocked, detail: blockedDetail("input", blocked) };
  const checked: JsonObject = isRecord(value) ? value : {};
  const masked = Object.entries(checked).filter(
    ([name, member]) => !isDeepStrictEqual(member, shown[name]),
  );
  return { masked: Object.fromEntries(masked), verdicts };
};
