import { isDeeperThan, type Json, type JsonObject, maxJsonDepth } from "../json.ts";
import { checkSchema, readSchemaValue } from "../json-schema.ts";
import { parseJson } from "../parse-json.ts";

/** A model's answer, or in what it does not fit. */
export type Answer =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly detail: string };

/** Models like to wrap JSON as they do code. */
const fenced = /^```(?:json)?\s*\n([\s\S]*)\n```$/;

/** Reads the value that a schema asks for out of a model's answer. */
export function readAnswer(schema: JsonObject, text: string): Answer {
  const trimmed = text.trim();
  const parsed = parseJson(fenced.exec(trimmed)?.[1] ?? trimmed);
  if (!parsed.ok) return { ok: false, detail: "it is not valid JSON" };
  if (isDeeperThan(parsed.value, maxJsonDepth)) {
    return { ok: false, detail: `it is nested deeper than ${maxJsonDepth} levels` };
  }
  const read = readSchemaValue(schema);
  if (!read.ok) return { ok: false, detail: `the schema ${read.detail}` };
  const problems = checkSchema(read.schema, parsed.value);
  if (problems.length === 0) return { ok: true, value: parsed.value };
  const details = problems.map(({ pointer, detail }) => `${pointer || "the value"}: ${detail}`);
  return { ok: false, detail: details.join("; ") };
}
