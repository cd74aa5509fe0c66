import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { isRecord } from "../../json/json.ts";

type Schema = LanguageModelV4FunctionTool["inputSchema"];

const isSchema = (value: unknown): value is Schema => isRecord(value);

/** A JSON Schema, which was checked when it was stored, as the AI SDK types one. */
export function toSchema(schema: unknown): Schema {
  return isSchema(schema) ? schema : {};
}
