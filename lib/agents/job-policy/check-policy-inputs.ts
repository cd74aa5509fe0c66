import type { ValidationIssue } from "../../platform/http/problems.ts";
import { toIssuePointer } from "../../platform/http/zod-error-map.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { checkInputs, type InputProblem } from "../../values/json/check-inputs.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import type { JobPolicy } from "./job-policy.ts";

/** Builds the input of a policy's executions: the prompt, for an agent that has a parameter of that name. */
export const toPolicyInput = (
  policy: JobPolicy,
  parameters: readonly ParameterDescriptor[],
): Record<string, unknown> =>
  typeof policy.prompt === "string" && parameters.some(({ name }) => name === "prompt")
    ? { prompt: policy.prompt }
    : {};

/**
 * Finds the job policies with an input that would be refused, with pointers such as `/0/prompt`.
 * `parameters` may have masks in place of secret defaults.
 */
export const checkPolicyInputs = async (
  policies: readonly JobPolicy[],
  parameters: readonly ParameterDescriptor[],
  processor: ProcessorBudget,
): Promise<ValidationIssue[]> => {
  const open = parameters.map((parameter) =>
    parameter.secret && parameter.defaultValue !== null
      ? { ...parameter, defaultValue: null, required: false }
      : parameter,
  );
  const problems: ValidationIssue[] = [];
  for (const [at, policy] of policies.entries()) {
    const checked = await checkInputs(open, toPolicyInput(policy, open), processor);
    if (!checked.ok) problems.push(...checked.errors.map((error) => toPlace(at, error)));
  }
  return problems;
};

const toPlace = (at: number, { pointer, detail }: InputProblem): ValidationIssue => {
  const isPrompt = pointer === "/input/prompt" || pointer.startsWith("/input/prompt/");
  return {
    pointer: toIssuePointer([String(at), ...(isPrompt ? ["prompt"] : [])]),
    detail: `${pointer} of its executions ${detail}; a schedule sends the input "prompt" alone, others need a default`,
  };
};
