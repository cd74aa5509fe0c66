import type { LanguageModelV4Content } from "@ai-sdk/provider";
import * as z from "zod";
import { isRecord } from "../../values/json/json.ts";

const providerOptions = z.record(z.string(), z.record(z.string(), z.json())).optional();

const Part = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string(), providerOptions }),
  z.object({ type: z.literal("reasoning"), text: z.string(), providerOptions }),
  z.object({
    type: z.literal("tool-call"),
    toolCallId: z.string(),
    toolName: z.string(),
    input: z.record(z.string(), z.unknown()),
    providerOptions,
  }),
]);
type Part = z.output<typeof Part>;

/** A response in the service's own form, with reasoning, signatures and item ids, as JSON. */
const RawMessage = z.object({ madeBy: z.string(), content: z.array(Part) });

/** Extracts the parts of a response that its service expects back. */
export const toRaw = (content: readonly LanguageModelV4Content[], madeBy: string): unknown => ({
  madeBy,
  content: content.flatMap(toPart),
});

/** Reads the output of `toRaw` for this kind of service; undefined for anything else. */
export const readRaw = (raw: unknown, madeBy: string): Part[] | undefined => {
  const { data } = RawMessage.safeParse(raw);
  return data?.madeBy === madeBy ? data.content : undefined;
};

/** Parses the arguments of a call; returns invalid JSON as text. */
export const readArguments = (input: string): z.core.util.JSONType => {
  if (input.trim() === "") return {};
  try {
    return z.json().parse(JSON.parse(input));
  } catch {
    return input;
  }
};

const toPart = (part: LanguageModelV4Content): unknown[] => {
  const options = part.providerMetadata ? { providerOptions: part.providerMetadata } : {};
  switch (part.type) {
    case "text":
    case "reasoning":
      return [{ type: part.type, text: part.text, ...options }];
    case "tool-call": {
      const { type, toolCallId, toolName } = part;
      const given = readArguments(part.input);
      return [{ type, toolCallId, toolName, input: isRecord(given) ? given : {}, ...options }];
    }
    default:
      return [];
  }
};
