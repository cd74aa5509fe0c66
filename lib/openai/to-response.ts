import type { ExecutionError, ExecutionResult, ExecutionStatus } from "../executions/schemas.ts";
import type { Json } from "../values/json/json.ts";
import { formatValue } from "../values/json/json.ts";
import type { Format } from "./build-body.ts";
import { formatMessageId, formatModel, formatResponseId } from "./ids.ts";
import type { MessageItem, OpenAiResponse } from "./schemas.ts";

/** An execution as a response shows it. */
export type ShownExecution = Pick<
  ExecutionResult,
  | "executionId"
  | "agentId"
  | "agentRevision"
  | "status"
  | "usage"
  | "session"
  | "startTime"
  | "endTime"
>;

type Repeated<Name extends keyof OpenAiResponse> = OpenAiResponse[Name] | undefined;

/** Parameters of a request that its response repeats. */
type RepeatedParameters = {
  background?: boolean | null | undefined;
  instructions?: Repeated<"instructions">;
  max_output_tokens?: Repeated<"max_output_tokens">;
  metadata?: Record<string, string> | null | undefined;
  previous_response_id?: Repeated<"previous_response_id">;
  safety_identifier?: Repeated<"safety_identifier">;
  text?: { format?: Format | null | undefined } | null | undefined;
  user?: Repeated<"user">;
};

/** Members of a response that its execution does not have. */
export type Shown = {
  output?: OpenAiResponse["output"];
  error?: OpenAiResponse["error"];
  metadata?: Record<string, string> | undefined;
  /** The request, which the response repeats. */
  request?: RepeatedParameters | undefined;
  /** Whether a model reached the limit that the request sets. */
  isCut?: boolean;
  /** Why a stream ends before the execution; undefined for another end. */
  incomplete?: NonNullable<OpenAiResponse["incomplete_details"]>["reason"];
};

const statuses: Readonly<Record<ExecutionStatus, OpenAiResponse["status"]>> = {
  Queued: "queued",
  Waiting: "in_progress",
  Running: "in_progress",
  Succeeded: "completed",
  Failed: "failed",
  TimedOut: "failed",
  Cancelled: "cancelled",
};

/** Members that are the same for all agents: the revision of an agent determines what they name. */
const constant = {
  prompt_cache_key: null,
  reasoning: null,
  max_tool_calls: null,
  tools: [],
  tool_choice: "auto",
  parallel_tool_calls: true,
  store: true,
  truncation: "disabled",
  service_tier: "default",
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  top_logprobs: 0,
} as const;

/** Builds the response of an execution. */
export const toResponse = (
  execution: ShownExecution,
  { output = [], error = null, metadata, request, isCut = false, incomplete }: Shown = {},
): OpenAiResponse => {
  const { status: executed, endTime, startTime, session } = execution;
  const reason =
    incomplete ?? (isCut && executed === "Succeeded" ? "max_output_tokens" : undefined);
  const status = reason ? "incomplete" : statuses[executed];
  const { text, user, safety_identifier, instructions, previous_response_id } = request ?? {};
  return {
    id: formatResponseId(execution),
    object: "response",
    created_at: toSeconds(startTime),
    completed_at: status === "completed" && endTime !== null ? toSeconds(endTime) : null,
    status,
    incomplete_details: reason ? { reason } : null,
    error,
    model: formatModel(execution),
    output,
    usage: endTime === null ? null : toUsage(execution),
    conversation: session && { id: session.id },
    previous_response_id: previous_response_id ?? null,
    instructions: instructions ?? null,
    background: request?.background ?? false,
    metadata: metadata ?? request?.metadata ?? {},
    text: { format: text?.format ?? { type: "text" } },
    user: user ?? null,
    safety_identifier: safety_identifier ?? null,
    max_output_tokens: request?.max_output_tokens ?? null,
    ...constant,
    tools: [],
  };
};

/** Returns whether an execution generated as many tokens as its caller allows: it may have been cut off. */
export const hasReached = (
  { usage: { outputTokens, thinkingTokens } }: Pick<ShownExecution, "usage">,
  most: number | null | undefined,
): boolean => typeof most === "number" && outputTokens + thinkingTokens >= most;

/** Counts tokens as OpenAI does: those of a cache are part of the input, and reasoning is part of the output. */
const toUsage = ({ usage }: ShownExecution): OpenAiResponse["usage"] => {
  const { inputTokens, outputTokens, cachedTokens, thinkingTokens } = usage;
  const [input, output] = [inputTokens + cachedTokens, outputTokens + thinkingTokens];
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: thinkingTokens },
    total_tokens: input + output,
  };
};

/** Unix seconds of Unix milliseconds. */
export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);

/** Builds the message of an execution with a text. */
export const buildMessage = (
  execution: Pick<ShownExecution, "agentId" | "executionId">,
  text: string,
  index = 0,
): MessageItem => ({
  type: "message",
  id: formatMessageId(execution, index),
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
});

/** Formats the output of an execution as text: JSON for another value than a string. */
export const formatOutput = (output: unknown): string => {
  const value: Json = JSON.parse(JSON.stringify(output ?? null));
  return value === null ? "" : formatValue(value);
};

/** Returns the error of a stored execution; null for none. */
export const toResponseError = (
  error: Pick<ExecutionError, "type" | "detail"> | null | undefined,
): OpenAiResponse["error"] =>
  error ? { code: error.type.split("/").at(-1) ?? "", message: error.detail } : null;
