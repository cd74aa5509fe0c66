import { type Blocked, StepError } from "../step-error.ts";
import type { GuardedPlace } from "./schemas.ts";

const names: Readonly<Record<GuardedPlace, string>> = {
  input: "the input",
  output: "the output",
  toolArguments: "the arguments of a tool",
  toolResult: "the result of a tool",
  retrieval: "what a search found",
};

/** Formats that a check blocked a value, without the value. A check without an id: there is no such guardrail. */
export const blockedDetail = (place: GuardedPlace, { guardrail, check }: Blocked): string =>
  check === ""
    ? `There is no guardrail "${guardrail}", which the revision or the tenant names.`
    : `The guardrail "${guardrail}" blocked ${names[place]} (check "${check}").`;

/** Creates the failure of a step for a value that a check blocked. */
export const blockedError = (place: GuardedPlace, blocked: Blocked): StepError =>
  new StepError("guardrail-blocked", blockedDetail(place, blocked), { blocked });
