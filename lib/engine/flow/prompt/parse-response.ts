import type { ProcessorBudget } from "../../../platform/sandbox/processor-budget.ts";
import {
  isDeeperThan,
  type Json,
  type JsonObject,
  maxJsonDepth,
} from "../../../values/json/json.ts";
import { checkSchema, readSchemaValue } from "../../../values/json/json-schema.ts";
import { parseJson } from "../../../values/json/parse-json.ts";

/** A model's response, or why it is invalid. */
export type ParsedResponse =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly detail: string };

/** Parses a model's response and validates it against a schema. */
export const parseResponse = async (
  schema: JsonObject,
  text: string,
  processor: ProcessorBudget,
): Promise<ParsedResponse> => {
  const parsed = parseJson(withoutFence(text.trim()));
  if (!parsed.ok) return { ok: false, detail: "it is not valid JSON" };
  if (isDeeperThan(parsed.value, maxJsonDepth)) {
    return { ok: false, detail: `it is nested deeper than ${maxJsonDepth} levels` };
  }
  const read = readSchemaValue(schema);
  if (!read.ok) return { ok: false, detail: `the schema ${read.detail}` };
  const problems = await checkSchema(read.schema, parsed.value, processor);
  if (problems.length === 0) return { ok: true, value: parsed.value };
  const details = problems.map(({ pointer, detail }) => `${pointer || "the value"}: ${detail}`);
  return { ok: false, detail: details.join("; ") };
};

const fence = "```";
const lastLine = `\n${fence}`;

/** Removes the code fence that models put around JSON. */
const withoutFence = (text: string): string => {
  if (!text.startsWith(fence) || !text.endsWith(lastLine)) return text;
  const end = text.indexOf("\n");
  const language = text.slice(fence.length, end).trim();
  return language === "" || language === "json" ? text.slice(end, -lastLine.length) : text;
};
