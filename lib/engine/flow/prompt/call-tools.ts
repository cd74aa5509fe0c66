import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import { formatValue, type Json } from "../../../values/json/json.ts";
import type { ToolCall, ToolResult } from "../../models/model.ts";
import { StepError } from "../../step-error.ts";
import { withResponse } from "../../tools/failing-response.ts";
import { ToolError } from "../../tools/tool.ts";
import { runPool } from "../pool.ts";
import type { StepContext } from "../step-context.ts";
import type { OfferedTool } from "./offer-tools.ts";

const callsAtOnce = 5;
const maxCallsPerTurn = 64;
const maxResultBytes = 100_000;

type Tools = ReadonlyMap<string, OfferedTool>;

/** Makes a turn's calls and returns their results for the model. Throws failures that end the step. */
export const callTools = async (
  calls: readonly ToolCall[],
  tools: Tools,
  context: StepContext,
): Promise<readonly ToolResult[]> => {
  const results: ToolResult[] = [];
  const options = { width: callsAtOnce, signal: context.signal };
  await runPool(calls.length, options, async (index, signal) => {
    const call = calls[index];
    if (!call) return;
    results[index] =
      index < maxCallsPerTurn
        ? await callTool(call, tools, { ...context, signal })
        : failed(call, `At most ${maxCallsPerTurn} tools may be called in one turn.`);
  });
  return results;
};

const callTool = async (
  call: ToolCall,
  tools: Tools,
  context: StepContext,
): Promise<ToolResult> => {
  const { id, name } = call;
  const tool = tools.get(name);
  if (!tool) {
    const known = tools.size === 0 ? "none" : [...tools.keys()].join(", ");
    return failed(call, `There is no tool "${name.slice(0, 64)}". There are: ${known}.`);
  }
  const span = context.openSpan({ ...tool.span, input: call.arguments });
  const { signal } = context;
  try {
    const { output, shown } = await tool.call(call.arguments, { path: span.id, signal });
    span.close({ output, ...(shown === undefined ? {} : { input: shown }) });
    return { id, name, output: bounded(output), isError: false };
  } catch (error) {
    if (signal.aborted) throw error;
    span.close({ error });
    if (isForModel(error)) return failed(call, withResponse(error.message, error));
    throw error;
  }
};

/** Returns whether the model gets a failure as a result; an exceeded budget and unknown errors end the step. */
const isForModel = (error: unknown): error is Error => {
  if (error instanceof StepError) return error.slug !== "budget-exceeded";
  return error instanceof ToolError || error instanceof UpstreamError;
};

const failed = ({ id, name }: ToolCall, detail: string): ToolResult => ({
  id,
  name,
  output: bounded(detail),
  isError: true,
});

/** Truncates a result for the model. */
const bounded = (output: Json): Json => {
  const text = formatValue(output);
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxResultBytes) return output;
  const start = Buffer.from(text)
    .subarray(0, maxResultBytes)
    .toString()
    .replace(/\uFFFD$/, "");
  return `${start}\n[Cut: these are the first ${maxResultBytes} of ${bytes} bytes.]`;
};
