import { ToolError } from "../../engine/tools/tool.ts";
import { Problem } from "../../platform/http/problems.ts";
import { upstreamProblem } from "../../platform/http/upstream-problem.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { ExpressionError } from "../../values/expression/expression-error.ts";
import { nameConsent, type ToolCaller } from "./name-consent.ts";

/** The tool did not run in an execution. */
const noExecution = { executionId: null, step: null };

/** Converts a tool's error to a problem: 422 for the tool, 502 or 504 for its upstream. Other errors are returned unchanged. */
export const toolProblem = (error: unknown): unknown => {
  if (error instanceof ToolError || error instanceof ExpressionError) {
    return new Problem("execution-failed", error.message, { members: noExecution });
  }
  return error instanceof UpstreamError ? upstreamProblem(error) : error;
};

/** Runs work with tools within `ms` milliseconds. Throws failures as converted by `toolProblem`, and 504 on timeout. */
export const withinTime = async <Result>(
  {
    ms,
    integrationId: upstream,
    caller,
  }: { ms: number; integrationId: string; caller: ToolCaller },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const signal = AbortSignal.timeout(Math.max(0, ms));
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted || error instanceof Problem) throw toolProblem(nameConsent(error, caller));
    const detail = `"${upstream}" did not respond within ${Math.round(ms / 1_000)} s.`;
    throw new Problem("upstream-timeout", detail, { members: { upstream } });
  }
};

/** Time limit of a tool call that a client waits for. */
export const toolTimeMs = 25_000;
