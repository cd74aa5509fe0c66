import * as z from "zod";
import { isJsonObject, type Json, type JsonObject } from "../values/json/json.ts";
import type { CreateResponseBody } from "./schemas.ts";

/** Parameters of a request that its response repeats, but for `metadata`, which the record has, and `instructions`. */
const RepeatedRequest = z.object({
  background: z.boolean().optional(),
  max_output_tokens: z.int().optional(),
  previous_response_id: z.string().optional(),
  safety_identifier: z.string().optional(),
  text: z.object({ format: z.looseObject({ type: z.string() }) }).optional(),
  user: z.string().optional(),
});
export type RepeatedRequest = z.output<typeof RepeatedRequest> & {
  /** With what guardrails masked in them; undefined for none, and where guardrails hide the input. */
  instructions?: string | undefined;
};

/** Selects what is stored of a request for its response; undefined where all parameters have their defaults. */
export const pickRepeated = (body: CreateResponseBody): JsonObject | undefined => {
  const picked = {
    background: body.background || undefined,
    max_output_tokens: body.max_output_tokens ?? undefined,
    previous_response_id: body.previous_response_id ?? undefined,
    safety_identifier: body.safety_identifier ?? undefined,
    text: body.text?.format ? { format: body.text.format } : undefined,
    user: body.user ?? undefined,
  };
  const stored: Json = JSON.parse(JSON.stringify(picked));
  return isJsonObject(stored) && Object.keys(stored).length > 0 ? stored : undefined;
};

/** Reads what was stored of a request. */
export const readRepeated = (stored: unknown): RepeatedRequest =>
  RepeatedRequest.parse(stored ?? {});
