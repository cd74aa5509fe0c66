/** A text that was typed: its JSON value, or that it is none. */
export type TypedJson = { ok: true; value: unknown } | { ok: false };

const parse = (text: string): TypedJson => {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
};

/** Returns the text of a JSON value to edit: texts without quotes, unless they would be read as something else. */
export const toText = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return JSON.stringify(value);
  const read = fromText(value);
  return read.ok && read.value === value ? value : JSON.stringify(value);
};

/** Reads a typed value: JSON, else a text as it is. What begins like JSON has to be JSON. */
export const fromText = (text: string): TypedJson => {
  if (text.trim() === "") return { ok: true, value: null };
  const parsed = parse(text);
  if (parsed.ok) return parsed;
  return /^\s*["[{]/.test(text) ? parsed : { ok: true, value: text };
};

/** Reads typed JSON; nothing is null. */
export const fromJson = (text: string): TypedJson =>
  text.trim() === "" ? { ok: true, value: null } : parse(text);

/** The message for a text that is not valid JSON. */
export const noJson = "This is not valid JSON.";
