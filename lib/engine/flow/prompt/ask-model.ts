import type { Json, JsonObject } from "../../../values/json/json.ts";
import type { GenerateResult, ModelMessage } from "../../models/model.ts";
import { StepError } from "../../step-error.ts";
import { awaitConsents } from "../consent.ts";
import type { Passage } from "../knowledge.ts";
import type { StepContext } from "../step-context.ts";
import type { StepResult } from "../step-type.ts";
import { askChain } from "./ask-chain.ts";
import { callTools, type Turn } from "./call-tools.ts";
import type { ModelChain } from "./choose-model.ts";
import { type PreparedFiles, prepareFiles } from "./file-parts.ts";
import type { OfferedTools } from "./offer-tools.ts";
import { parseResponse } from "./parse-response.ts";
import { type CallState, type PromptState, toJsonState } from "./prompt-state.ts";

/** A Prompt with its evaluated texts and loaded tools. */
export type Task = {
  readonly chain: ModelChain;
  readonly system: string | undefined;
  /** The messages so far: those of the session's earlier turns, and the prompt. */
  readonly messages: readonly ModelMessage[];
  /** Number of the messages before the prompt. */
  readonly recalled: number;
  /** Number of the messages of the session's earlier turns, without those of a memory. */
  readonly earlier: number;
  /** The turn in which an earlier run suspended it. */
  readonly resumed: PromptState | undefined;
  /** Returns the passages that its model has found. */
  readonly cited: () => readonly Passage[];
  readonly outputSchema: JsonObject | undefined;
  readonly maxTurns: number;
} & OfferedTools;

/**
 * Calls a model, turn by turn, until it responds with text or with a value that matches
 * `outputSchema`. The tool calls of one turn run concurrently; the step is suspended in a turn with calls that wait.
 */
export const askModel = async (task: Task, context: StepContext): Promise<StepResult> => {
  const files = prepareFiles(task.messages, task.recalled, context);
  try {
    return await askInTurns({ ...task, ...(files && { files }) }, context);
  } finally {
    files?.close();
  }
};

const askInTurns = async (
  task: Task & { readonly files?: PreparedFiles },
  context: StepContext,
): Promise<StepResult> => {
  const { chain, system, outputSchema, tools, required, maxTurns, resumed } = task;
  let start = resumed?.served ?? 0;
  const messages: ModelMessage[] = [...task.messages];
  const prepared = task.files && { files: task.files };
  const question = {
    ...(system === undefined ? {} : { system }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(tools.size === 0 ? {} : { tools: [...tools.values()].map((tool) => tool.model) }),
  };
  // Another request begins as this one does: in the next turn, or in the session's next execution.
  const isRepeated = (turn: number) =>
    chain.llm.cache !== "off" &&
    (context.session !== undefined || (tools.size > 0 && turn < maxTurns));
  const end = (output: Json) => ({
    output,
    ...(context.session && { exchange: messages.slice(task.recalled).map(withoutRaw) }),
  });
  let wasCorrected = resumed?.wasCorrected ?? false;
  const stateIn = ({ number: turn }: Turn, calls: readonly CallState[]): Json =>
    toState(task, { messages, turn, wasCorrected, calls: [...calls], served: start });
  const finishTurn = async (turn: Turn) => {
    const called = await callTools(turn, tools, context);
    if ("results" in called) {
      const { results } = called;
      const known = () => results.map((result) => ({ result }));
      const state = () => stateIn(turn, known());
      await awaitConsents(context, { required, state, turn: turn.number });
      messages.push({ role: "tool", results });
      return;
    }
    await context.suspend(stateIn(turn, called.calls), called.requests);
  };
  if (resumed) {
    const last = messages.at(-1);
    const calls = last?.role === "assistant" ? last.toolCalls : [];
    await finishTurn({ number: resumed.turn, calls, known: resumed.calls });
  }
  for (let turn = (resumed?.turn ?? 0) + 1; ; turn += 1) {
    const cached = isRepeated(turn) && { cache: { recalled: context.session ? task.earlier : 0 } };
    const asked = {
      question: { ...question, messages: [...messages], ...cached },
      start,
      ...prepared,
    };
    const { result, position } = await askChain(chain, asked, context);
    start = position;
    await noteServed(chain, position, context);
    const { message } = result;
    messages.push(message);
    if (message.toolCalls.length > 0) {
      if (turn === maxTurns) throw tooManyTurns(maxTurns);
      await finishTurn({ number: turn, calls: message.toolCalls, known: [] });
      continue;
    }
    if (outputSchema === undefined) return end(message.text);
    const parsed = await parseResponse(outputSchema, message.text, context.processor);
    if (parsed.ok) return end(parsed.value);
    if (wasCorrected || turn === maxTurns) throw misfit(parsed.detail, result);
    wasCorrected = true;
    messages.push({ role: "user", text: correction(parsed.detail) });
  }
};

/** Shows which of several models responded. */
const noteServed = async (
  { first, fallbacks }: ModelChain,
  position: number,
  context: StepContext,
): Promise<void> => {
  if (fallbacks.length === 0) return;
  const { providerId, model } = (await fallbacks[position - 1]?.()) ?? first;
  context.note({ servedBy: { providerId, modelId: model } });
};

/** Omits the provider's own form of a message: another provider may continue the session. */
const withoutRaw = (message: ModelMessage): ModelMessage => {
  if (message.role !== "assistant") return message;
  const { role, text, toolCalls } = message;
  return { role, text, toolCalls };
};

const toState = (
  { chain: { llm }, system, tools, resumed, recalled, earlier, cited }: Task,
  turnState: Pick<PromptState, "messages" | "turn" | "wasCorrected" | "calls" | "served">,
): Json => {
  const names = [...tools].map(([name, { key }]): [string, string] => [key, name]);
  return toJsonState({
    llm,
    system: system ?? null,
    ...turnState,
    recalled,
    earlier,
    names: resumed?.names ?? names,
    citations: [...cited()],
  });
};

const tooManyTurns = (maxTurns: number): StepError => {
  const detail = `The model still calls tools after ${maxTurns} turns ("maxTurns").`;
  return new StepError("execution-failed", detail);
};

const correction = (detail: string): string =>
  `Your response does not match the JSON Schema: ${detail}. Respond again with only JSON that matches it.`;

const misfit = (detail: string, { finishReason }: GenerateResult): StepError => {
  const why = finishReason === "length" ? ' It was cut off: raise "maxOutputTokens".' : "";
  const text = `The model's response does not match "outputSchema": ${detail}.${why}`;
  return new StepError("execution-failed", text);
};
