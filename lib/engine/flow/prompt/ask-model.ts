import type { Json, JsonObject } from "../../../values/json/json.ts";
import type { GenerateResult, ModelMessage } from "../../models/model.ts";
import { StepError } from "../../step-error.ts";
import type { ConversationMessage } from "../conversation-message.ts";
import type { StepContext } from "../step-context.ts";
import { callModel } from "./call-model.ts";
import { callTools } from "./call-tools.ts";
import type { ChosenModel } from "./choose-model.ts";
import type { OfferedTool } from "./offer-tools.ts";
import { parseResponse } from "./parse-response.ts";

/** A Prompt with its evaluated texts and loaded tools. */
export type Task = {
  readonly model: ChosenModel;
  readonly system: string | undefined;
  readonly prompt: string;
  readonly outputSchema: JsonObject | undefined;
  readonly tools: ReadonlyMap<string, OfferedTool>;
  readonly maxTurns: number;
};

/**
 * Calls a model, turn by turn, until it responds with text or with a value that matches
 * `outputSchema`. Sends the conversation's earlier messages first. The tool calls of one turn run
 * concurrently.
 */
export const askModel = async (task: Task, context: StepContext): Promise<Json> => {
  const { model, system, outputSchema, tools, maxTurns } = task;
  const messages: ModelMessage[] = [
    ...context.session.filter(({ text }) => text !== "").map(toMessage),
    { role: "user", text: task.prompt },
  ];
  const question = {
    ...(system === undefined ? {} : { system }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(tools.size === 0 ? {} : { tools: [...tools.values()].map((tool) => tool.model) }),
  };
  let wasCorrected = false;
  for (let turn = 1; ; turn += 1) {
    const result = await callModel(model, { ...question, messages: [...messages] }, context);
    const { message } = result;
    messages.push(message);
    if (message.toolCalls.length > 0) {
      if (turn === maxTurns) throw tooManyTurns(maxTurns);
      messages.push({ role: "tool", results: await callTools(message.toolCalls, tools, context) });
      continue;
    }
    if (outputSchema === undefined) return message.text;
    const answer = await parseResponse(outputSchema, message.text, context.processor);
    if (answer.ok) return answer.value;
    if (wasCorrected || turn === maxTurns) throw misfit(answer.detail, result);
    wasCorrected = true;
    messages.push({ role: "user", text: correction(answer.detail) });
  }
};

const toMessage = ({ role, text }: ConversationMessage): ModelMessage =>
  role === "user" ? { role, text } : { role, text, toolCalls: [] };

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
