import { checkToolParameters } from "../../engine/flow/tool-ref.ts";
import type { FlowFile } from "../../engine/flow-file.ts";
import type { SaveFile } from "../../engine/tools/save-content.ts";
import { ToolError } from "../../engine/tools/tool.ts";
import { notFound, validationFailed } from "../../platform/http/problems.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { untilAborted } from "../../platform/outgoing/until-aborted.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { checkExpressions } from "../../values/expression/check-templates.ts";
import { evaluateExpression } from "../../values/expression/evaluate.ts";
import { ExpressionError } from "../../values/expression/expression-error.ts";
import { formatValue, type Json } from "../../values/json/json.ts";
import type { RunToolBody, ToolRunResult } from "../catalog/schemas.ts";
import { findCaller } from "../connection/connection-owner.ts";
import { type FindToolsDeps, findTools } from "./find-tools.ts";
import { toolTimeMs, withinTime } from "./tool-problem.ts";

/** Reserved for sending the response. */
const responseMs = 1_500;

/** Stores the files of a tool's result. */
export type ToolFiles = {
  readonly save: SaveFile;
  /** Returns the address of a stored file's content. */
  link(file: FlowFile): string;
};

type Input = {
  integrationId: string;
  toolId: string;
  body: RunToolBody;
  /** Without it binary content is part of the result, as base64. */
  files?: ToolFiles | undefined;
};

/**
 * Runs a tool once. Throws 400, 404, 422 when the tool fails, and 502 or 504 when its upstream does. Responses
 * never contain a credential of the config.
 */
export const runTool = async (
  deps: FindToolsDeps,
  {
    ctx,
    integrationId,
    toolId,
    body,
    files,
  }: { ctx: Pick<TenantContext, "clock" | "tenant" | "principal" | "respondBy"> } & Input,
): Promise<ToolRunResult> => {
  const { clock } = ctx;
  const processor = new ProcessorBudget(ctx.tenant.id, processorLimits.requestMs);
  const select = body.resultSelect || undefined;
  if (select !== undefined) await checkSelect(select, processor);
  const parameters = body.parameters ?? {};
  const ms = Math.min(toolTimeMs, ctx.respondBy - responseMs - clock());
  const saved: FlowFile[] = [];
  const saveFile = files && recordFiles(files.save, saved);
  const output = await withinTime({ ms, integrationId, caller: ctx.principal }, async (signal) => {
    const tools = await findTools(deps, {
      tenantId: ctx.tenant.id,
      integrationId,
      configId: body.configId ?? undefined,
      pointer: "/configId",
      signal,
      processor,
      people: findCaller(ctx.principal),
    });
    const tool = tools.get(toolId);
    if (!tool) throw notFound("tool", `${integrationId}/${toolId}`);
    const problems = checkToolParameters(tool.descriptor, parameters);
    if (problems.length > 0) throw validationFailed(problems);
    const call = { clock, signal, processor, saveFile };
    const result = await untilAborted(signal, tool.run(parameters, call));
    return bounded(result);
  });
  const [file] = saved;
  return {
    ...toResult(
      select === undefined ? output : await project(select, output, { clock, processor }),
    ),
    fileLink: files && file ? files.link(file) : null,
  };
};

/** Returns a function that stores files and adds them to a list. */
const recordFiles =
  (save: SaveFile, saved: FlowFile[]): SaveFile =>
  async (file) => {
    const stored = await save(file);
    saved.push(stored);
    return stored;
  };

const toResult = (value: Json): ToolRunResult => {
  const isText = typeof value === "string";
  return {
    response: formatValue(value),
    resultType: isText ? "String" : "Json",
    jsonValue: isText ? null : value,
    fileLink: null,
  };
};

/** Measured as the response, which holds a JSON result twice: as a value and as text. */
const bounded = (value: Json): Json => {
  const { response, jsonValue } = toResult(value);
  const bytes = responseBytes([response, jsonValue]);
  if (bytes <= maxResponseBytes) return value;
  throw new ToolError(`The result is too large for a response: ${bytes} bytes.`);
};

const selectPointer = "/resultSelect";

/** Rejects an invalid expression before the tool runs, because the tool may have side effects. */
const checkSelect = async (source: string, processor: ProcessorBudget): Promise<void> => {
  const [checked] = await checkExpressions([source], processor);
  if (checked && !checked.ok) {
    throw selectProblem(new ExpressionError(checked.message, checked.position));
  }
};

const project = async (
  select: string,
  value: Json,
  options: { clock: () => number; processor: ProcessorBudget },
): Promise<Json> => {
  try {
    return (await evaluateExpression(select, value, options)) ?? null;
  } catch (error) {
    throw selectProblem(error);
  }
};

const selectProblem = (error: unknown): unknown => {
  if (!(error instanceof ExpressionError)) return error;
  const at = error.position === undefined ? "" : ` (at character ${error.position})`;
  return validationFailed([{ pointer: selectPointer, detail: `${error.message}${at}` }]);
};
