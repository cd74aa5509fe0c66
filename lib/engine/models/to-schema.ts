import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { isRecord } from "../../values/json/json.ts";

type Schema = LanguageModelV4FunctionTool["inputSchema"];

const isSchema = (value: unknown): value is Schema => isRecord(value);

/** Wraps a JSON Schema, which was validated when it was stored, for the AI SDK. */
export const toSchema = (schema: unknown): Schema => (isSchema(schema) ? schema : {});
