import type { Json } from "./json.ts";

/** The value of a JSON text, if it is one. */
export function parseJson(
  text: string,
): { readonly ok: true; readonly value: Json } | { readonly ok: false } {
  try {
    const value: Json = JSON.parse(text);
    return { ok: true, value };
  } catch {
    return { ok: false };
  }
}

/** The value of a JSON text, or the text itself. */
export function jsonOrText(text: string): Json {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}
