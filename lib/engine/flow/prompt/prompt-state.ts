import * as z from "zod";
import type { Json, JsonObject } from "../../../values/json/json.ts";
import { CacheMode, FallbackOn } from "../../models/llm-options.ts";
import type { ModelMessage, ToolResult } from "../../models/model.ts";
import type { Passage } from "../knowledge.ts";

const custom = <Value>() => z.custom<Value>((value) => typeof value === "object" && value !== null);

/** A call that waits: its span, and the approval of its tool that asks. */
const WaitingCall = z.object({ spanId: z.string(), asks: z.int().nullable() });
export type WaitingCall = z.output<typeof WaitingCall>;

/** A call of a turn: its result, or that it waits. */
const CallState = z.union([z.object({ result: custom<ToolResult>() }), WaitingCall]);
export type CallState = z.output<typeof CallState>;

const model = { providerId: z.string(), parameters: custom<JsonObject>() };

/** A Prompt that waits in a turn with tool calls. */
export const PromptState = z.object({
  llm: z.object({
    ...model,
    fallbacks: z.array(z.object(model)).readonly().nullish(),
    fallbackOn: FallbackOn.readonly().nullish(),
    cache: CacheMode.nullish(),
  }),
  /** Position of the model that responded last. */
  served: z.int(),
  system: z.string().nullable(),
  /** The last one has the turn's calls. */
  messages: z.array(custom<ModelMessage>()),
  /** Number of the messages before the prompt, and of those of the session's earlier turns. */
  recalled: z.int(),
  earlier: z.int(),
  turn: z.int(),
  wasCorrected: z.boolean(),
  /** The calls of the turn, in their order. */
  calls: z.array(CallState),
  /** Keys of the offered tools and the names that the model uses, in their order. */
  names: z.array(z.tuple([z.string(), z.string()])),
  citations: z.array(custom<Passage>()),
});
export type PromptState = z.output<typeof PromptState>;

/** Returns a state as JSON. */
export const toJsonState = (state: PromptState): Json => JSON.parse(JSON.stringify(state));
