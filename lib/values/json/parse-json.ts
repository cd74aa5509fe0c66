import type { Json } from "./json.ts";

/** Parses JSON without throwing. */
export const parseJson = (
  text: string,
): { readonly ok: true; readonly value: Json } | { readonly ok: false } => {
  try {
    const value: Json = JSON.parse(text);
    return { ok: true, value };
  } catch {
    return { ok: false };
  }
};

/** Parses JSON; returns a text that is not JSON unchanged. */
export const jsonOrText = (text: string): Json => {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
};
