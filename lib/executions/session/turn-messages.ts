import { estimateFiles } from "../../engine/flow/prompt/estimate-files.ts";
import type { ModelMessage } from "../../engine/models/model.ts";
import { formatValue, isRecord, type Json, type JsonObject } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import type { StoredTurn } from "./session-item.ts";

/** Services refuse messages without text. */
const noText = "(no text)";

const toUserMessage = (text: string): ModelMessage => ({ role: "user", text: text || noText });
const toAssistantMessage = (text: string): ModelMessage => ({
  role: "assistant",
  text: text || noText,
  toolCalls: [],
});

/**
 * Returns the messages of a turn: those of its Prompts, or else the text of the user; then the output, unless the last
 * response of a model is the same.
 */
export const toTurnMessages = ({
  input: text,
  exchanged,
  output,
}: StoredTurn): readonly ModelMessage[] => {
  const messages = exchanged.length === 0 ? [toUserMessage(text)] : exchanged.map(withText);
  const last = messages.at(-1);
  const isOutput = last?.role === "assistant" && last.text.trim() === (output || noText).trim();
  return isOutput ? messages : [...messages, toAssistantMessage(output)];
};

const withText = (message: ModelMessage): ModelMessage => {
  if (message.role === "tool" || message.text !== "") return message;
  if (message.role === "assistant" && message.toolCalls.length > 0) return message;
  return { ...message, text: noText };
};

/** Returns the messages that give a model the summary of the turns before. */
export const toSummaryMessages = (summary: string): readonly ModelMessage[] => [
  toUserMessage("Summarize our conversation so far."),
  toAssistantMessage(summary),
];

/** An earlier message, as an agent's input `history` has it. */
type HistoryMessage = { role: "user" | "assistant"; text: string };

/** Returns the texts of users and the outputs of turns, oldest first. */
const toHistory = (turns: readonly StoredTurn[]): HistoryMessage[] =>
  turns.flatMap(({ input: text, output }): HistoryMessage[] => [
    { role: "user", text },
    { role: "assistant", text: output },
  ]);

/** Returns the value of an agent's input `history`: one line for each message where it is a String. */
const toHistoryInput = (
  { type }: Pick<ParameterDescriptor, "type">,
  turns: readonly StoredTurn[],
): Json => {
  const history = toHistory(turns);
  return type === "String"
    ? history.map(({ role, text }) => `${role}: ${text}`).join("\n")
    : history;
};

/** Adds the history of a session to an agent's inputs, if it declares `history` and was not sent any. */
export const withHistory = (
  parameters: readonly ParameterDescriptor[],
  input: unknown,
  turns: readonly StoredTurn[] = [],
): unknown => {
  if (!isRecord(input ?? {})) return input;
  const sent = isRecord(input) ? input : {};
  const history = findHistory(parameters, sent, turns);
  return history === undefined ? input : { ...sent, history };
};

/** Returns the value of the input `history` of an agent that declares it and was not sent any; else undefined. */
export const findHistory = (
  parameters: readonly ParameterDescriptor[],
  sent: Readonly<Record<string, unknown>>,
  turns: readonly StoredTurn[],
): Json | undefined => {
  const declared = parameters.find(({ name }) => name === "history");
  const isSent = Object.hasOwn(sent, "history") && !isEmpty(sent.history);
  return declared && !isSent ? toHistoryInput(declared, turns) : undefined;
};

const isEmpty = (history: unknown): boolean =>
  history === "" || (Array.isArray(history) && history.length === 0);

/** Returns the text of the user: the input `message`, else the only input of the type String, else all inputs as JSON. */
export const toTurnInput = (
  parameters: readonly ParameterDescriptor[],
  values: Readonly<JsonObject>,
): string => {
  const { history: _, ...others } = values;
  const texts = parameters.filter(({ name, type }) => type === "String" && name !== "history");
  const only = texts.length === 1 ? texts[0]?.name : undefined;
  for (const name of ["message", only]) {
    const value = name === undefined ? undefined : others[name];
    if (typeof value === "string") return value;
  }
  return formatValue(others);
};

const bytesPerToken = 4;

/** Estimates the tokens of messages and their files. */
export const estimateMessages = (messages: readonly ModelMessage[]): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(messages)) / bytesPerToken) +
  estimateFiles(messages).expected;
