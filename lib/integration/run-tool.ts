import { ExpressionError } from "../flow/expression-error.ts";
import { type Json, textOf } from "../flow/json.ts";
import { type Expression, parseExpression } from "../flow/parse-expression.ts";
import { checkToolParameters } from "../flow/tool-ref.ts";
import { answerBytes, mostAnswerBytes } from "../http/answer-size.ts";
import type { TenantContext } from "../http/endpoint.ts";
import { notFound, validationFailed } from "../http/problems.ts";
import { untilAborted } from "../outgoing/until-aborted.ts";
import { ToolError } from "../tools/tool.ts";
import { type FindToolsDeps, findTools } from "./find-tools.ts";
import type { RunToolBody, ToolRunResult } from "./schemas.ts";
import { toolTimeMs, withinTime } from "./tool-problem.ts";

/** Left of the answer's time for sending it. */
const answeringMs = 1_500;

type Input = { integrationId: string; toolId: string; body: RunToolBody };

/**
 * Runs a tool once. Throws 404, 400 with pointers, 422 for what the tool can't do, 502 and 504 for what it
 * calls. No credential of the config is part of any answer.
 */
export const runTool = async ({
  ctx,
  input: { integrationId, toolId, body },
  deps,
}: {
  ctx: Pick<TenantContext, "clock" | "tenant" | "answerBy">;
  input: Input;
  deps: FindToolsDeps;
}): Promise<ToolRunResult> => {
  const { clock } = ctx;
  const select = body.resultSelect ? readSelect(body.resultSelect) : undefined;
  const parameters = body.parameters ?? {};
  const ms = Math.min(toolTimeMs, ctx.answerBy - answeringMs - clock());
  const output = await withinTime(ms, integrationId, async (signal) => {
    const tools = await findTools(deps, {
      tenantId: ctx.tenant.id,
      integrationId,
      configId: body.configId ?? undefined,
      pointer: "/configId",
      signal,
    });
    const tool = tools.get(toolId);
    if (!tool) throw notFound("tool", `${integrationId}/${toolId}`);
    const problems = checkToolParameters(tool.descriptor, parameters);
    if (problems.length > 0) throw validationFailed(problems);
    const result = await untilAborted(signal, tool.run(parameters, { clock, signal }));
    return bounded(result);
  });
  return toResult(select ? await project(select, output, clock) : output);
};

const toResult = (value: Json): ToolRunResult => {
  const isText = typeof value === "string";
  return {
    response: textOf(value),
    resultType: isText ? "String" : "Json",
    jsonValue: isText ? null : value,
    fileLink: null,
  };
};

/** The answer holds a result twice, once as a text of JSON. */
const bounded = (value: Json): Json => {
  const { response, jsonValue } = toResult(value);
  const bytes = answerBytes([response, jsonValue]);
  if (bytes <= mostAnswerBytes) return value;
  throw new ToolError(`The result is too large to be shown: ${bytes} bytes.`);
};

const selectPointer = "/resultSelect";

/** Before the tool runs, which may change something. */
const readSelect = (source: string): Expression => {
  try {
    return parseExpression(source);
  } catch (error) {
    throw selectProblem(error);
  }
};

const project = async (select: Expression, value: Json, clock: () => number): Promise<Json> => {
  try {
    return (await select.evaluate(value, { clock })) ?? null;
  } catch (error) {
    throw selectProblem(error);
  }
};

const selectProblem = (error: unknown): unknown => {
  if (!(error instanceof ExpressionError)) return error;
  const at = error.position === undefined ? "" : ` (at character ${error.position})`;
  return validationFailed([{ pointer: selectPointer, detail: `${error.message}${at}` }]);
};
