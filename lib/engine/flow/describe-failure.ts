import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { ExpressionError } from "../../values/expression/expression-error.ts";
import { StepError } from "../step-error.ts";
import { ToolError } from "../tools/tool.ts";
import type { FlowError } from "./flow-result.ts";

/** Maps an error to a step's failure. Details of unknown errors are only logged. */
export const describeFailure = (error: unknown, stepId: string | null): FlowError => {
  const failure = toStepError(error);
  const { slug, message, upstream, upstreamStatus, blocked } = failure;
  const described: FlowError = {
    slug,
    detail: message,
    step: stepId,
    ...(upstream === undefined ? {} : { upstream }),
    ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
    ...(blocked && { blocked }),
  };
  return Object.defineProperty(described, "cause", { value: error, enumerable: false });
};

const toStepError = (error: unknown): StepError => {
  if (error instanceof StepError) return error;
  if (error instanceof ExpressionError || error instanceof ToolError) {
    return new StepError("execution-failed", error.message);
  }
  if (error instanceof UpstreamError) {
    const { upstream, upstreamStatus, timedOut, message } = error;
    return new StepError(timedOut ? "upstream-timeout" : "upstream-failed", message, {
      upstream,
      ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
    });
  }
  return new StepError("execution-failed", "The step failed unexpectedly.");
};
