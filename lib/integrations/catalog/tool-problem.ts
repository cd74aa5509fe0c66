import { ToolError } from "../../engine/tools/tool.ts";
import { ExpressionError } from "../../expression/expression-error.ts";
import { Problem } from "../../platform/http/problems.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";

/** No step and no execution: a tool was asked alone. */
const alone = { executionId: null, step: null };

/** A tool's failure as a problem: 422 for what it can't do, 502 and 504 for what it calls; others stay as they are. */
export const toolProblem = (error: unknown): unknown => {
  if (error instanceof ToolError || error instanceof ExpressionError) {
    return new Problem("execution-failed", error.message, { members: alone });
  }
  if (!(error instanceof UpstreamError)) return error;
  const { message, upstream, upstreamStatus, timedOut } = error;
  return new Problem(timedOut ? "upstream-timeout" : "upstream-failed", message, {
    members: { upstream, upstreamStatus },
    cause: error,
  });
};

/** Does work within `ms`. Throws what `toolProblem` makes of a failure, and 504 when the time is over. */
export const withinTime = async <Result>(
  ms: number,
  upstream: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const signal = AbortSignal.timeout(Math.max(0, ms));
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted || error instanceof Problem) throw toolProblem(error);
    const detail = `"${upstream}" did not answer within ${Math.round(ms / 1_000)} s.`;
    throw new Problem("upstream-timeout", detail, { members: { upstream } });
  }
};

/** How long a tool may take while somebody waits. */
export const toolTimeMs = 25_000;
