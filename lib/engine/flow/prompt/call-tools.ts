import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import { formatValue, type Json } from "../../../values/json/json.ts";
import type { ToolCall, ToolResult } from "../../models/model.ts";
import { StepError } from "../../step-error.ts";
import { withResponse } from "../../tools/failing-response.ts";
import { ConsentRequired, ToolError } from "../../tools/tool.ts";
import { describeConsentEnd, findConsent, requestConsent } from "../consent.ts";
import { runPool } from "../pool.ts";
import { RunStop } from "../run-stop.ts";
import type { StepContext } from "../step-context.ts";
import type { WaitRequest } from "../waits.ts";
import { findApproval, readDecision, requestApproval } from "./approve-call.ts";
import type { OfferedTool } from "./offer-tools.ts";
import type { CallState, WaitingCall } from "./prompt-state.ts";

const callsAtOnce = 5;
const maxCallsPerTurn = 64;
const maxResultBytes = 100_000;

type Tools = ReadonlyMap<string, OfferedTool>;

/** The calls of a turn. */
export type Turn = {
  readonly number: number;
  readonly calls: readonly ToolCall[];
  /** The results that an earlier run stored; empty for new ones. */
  readonly known: readonly CallState[];
};

/** Results of a turn's calls, or the calls that wait, with the requests for their approvals by name. */
export type CalledTurn =
  | { readonly results: readonly ToolResult[] }
  | {
      readonly calls: readonly CallState[];
      readonly requests: ReadonlyMap<string, () => Promise<WaitRequest>>;
    };

/**
 * Makes a turn's calls and returns their results for the model. A call that needs an approval waits for it, the others are
 * made. Throws failures that end the step.
 */
export const callTools = async (
  { number, calls, known }: Turn,
  tools: Tools,
  context: StepContext,
): Promise<CalledTurn> => {
  const states: CallState[] = [];
  const requests = new Map<string, () => Promise<WaitRequest>>();
  const options = { width: callsAtOnce, signal: context.signal };
  await runPool(calls.length, options, async (index, signal) => {
    const call = calls[index];
    if (!call) return;
    const earlier = known[index];
    if (earlier && "result" in earlier) {
      states[index] = earlier;
      return;
    }
    if (index >= maxCallsPerTurn) {
      const detail = `At most ${maxCallsPerTurn} tools may be called in one turn.`;
      states[index] = { result: failed(call, detail) };
      return;
    }
    const names = { waitName: `${number}.${index + 1}`, earlier };
    const made = await callTool(call, names, tools, { ...context, signal });
    states[index] = "result" in made ? made : { spanId: made.spanId, asks: made.asks };
    if ("request" in made) requests.set(made.waitName, made.request);
  });
  const results = states.flatMap((state) => ("result" in state ? state.result : []));
  return results.length === states.length ? { results } : { calls: states, requests };
};

/** Where a call is made: the name of its wait in the step, and its earlier wait. */
type WaitNames = { readonly waitName: string; readonly earlier: WaitingCall | undefined };

type MadeCall =
  | CallState
  | (WaitingCall & { readonly waitName: string; readonly request: () => Promise<WaitRequest> });

const callTool = async (
  call: ToolCall,
  { waitName, earlier }: WaitNames,
  tools: Tools,
  context: StepContext,
): Promise<MadeCall> => {
  const { id, name } = call;
  const tool = tools.get(name);
  if (!tool) {
    const known = tools.size === 0 ? "none" : [...tools.keys()].join(", ");
    const detail = `There is no tool "${name.slice(0, 64)}". There are: ${known}.`;
    if (earlier) context.reopenSpan(earlier.spanId).close({ error: new ToolError(detail) });
    return { result: failed(call, detail) };
  }
  const wanted = await context.guard("toolArguments", call.arguments);
  const span = earlier
    ? context.reopenSpan(earlier.spanId)
    : context.openSpan({ ...tool.span, input: wanted });
  const { signal } = context;
  let asks: number | null = null;
  try {
    asks = earlier ? earlier.asks : await findApproval(tool, wanted, context);
    const asked = asks === null ? undefined : { tool, given: wanted, at: asks, context };
    const end = asked && context.findEnd(waitName);
    if (asked && !end) {
      return { spanId: span.id, asks, waitName, request: () => requestApproval(asked) };
    }
    const approved = asked && end && (await readDecision(end, asked));
    const { given: decided = wanted, isReplaced = false } = approved ?? {};
    const given = isReplaced ? await context.guard("toolArguments", decided) : decided;
    const { output: raw, shown } = await tool.call(given, { path: span.id, signal });
    const output = await context.guard("toolResult", raw);
    const input = shown ?? (isReplaced ? given : undefined);
    span.close({ output, ...(input === undefined ? {} : { input }) });
    const reported = isReplaced ? { note: replacedNote, arguments: given, result: output } : output;
    const result = { id, name, output: bounded(reported, tool.maxResultBytes), isError: false };
    return { result };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof RunStop && error.kind === "waiting") return { spanId: span.id, asks };
    if (error instanceof ConsentRequired) {
      const { name, end: given } = findConsent(context, `${waitName}.consent`, error);
      const request = requestConsent(error, context);
      if (!given) return { spanId: span.id, asks, waitName: name, request };
      const refused = describeConsentEnd(given, error);
      span.close({ error: refused });
      return { result: failed(call, `${refused.message} Do not call it again.`) };
    }
    span.close({ error });
    if (isForModel(error)) return { result: failed(call, withResponse(error.message, error)) };
    throw error;
  }
};

/** Tells the model that its call was made with other arguments. */
const replacedNote = "A person replaced the arguments of this call.";

/** Failures of a call that end the step. */
const endsStep: readonly string[] = ["budget-exceeded", "guardrail-blocked"];

/** Returns whether the model gets a failure as a result; others, and unknown errors, end the step. */
const isForModel = (error: unknown): error is Error => {
  if (error instanceof StepError) return !endsStep.includes(error.slug);
  return error instanceof ToolError || error instanceof UpstreamError;
};

const failed = ({ id, name }: ToolCall, detail: string): ToolResult => ({
  id,
  name,
  output: bounded(detail),
  isError: true,
});

/** Truncates a result for the model. */
const bounded = (output: Json, maxBytes = maxResultBytes): Json => {
  const text = formatValue(output);
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return output;
  const start = Buffer.from(text)
    .subarray(0, maxBytes)
    .toString()
    .replace(/\uFFFD$/, "");
  return `${start}\n[Cut: these are the first ${maxBytes} of ${bytes} bytes.]`;
};
