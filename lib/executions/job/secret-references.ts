import { isRecord, type Json, type JsonObject, setMember } from "../../values/json/json.ts";
import { isHiddenInTexts } from "./masks.ts";

/** Secrets of a job, and a random text that no value contains. */
export type References = { readonly secrets: readonly string[]; readonly nonce: string };

/**
 * Replaces secrets anywhere in a value by references to their positions, so that it can be stored. What is masked in a trace
 * is replaced here; `resolveSecrets` puts it back for a job with the same secrets.
 */
export const referSecrets = (value: Json, { secrets, nonce }: References): Json => {
  if (secrets.length === 0) return value;
  const places = new Map(secrets.map((secret, at) => [secret, at]));
  const inTexts = secrets.filter(isHiddenInTexts).map((secret) => RegExp.escape(secret));
  const pattern = inTexts.length === 0 ? undefined : new RegExp(inTexts.join("|"), "g");
  const refer = (at: number | undefined, type: "text" | "number") => `${nonce}${type}:${at};`;
  const inText = (text: string): string => {
    if (places.has(text)) return refer(places.get(text), "text");
    return pattern ? text.replace(pattern, (secret) => refer(places.get(secret), "text")) : text;
  };
  return mapTexts(value, {
    text: inText,
    number: (number) =>
      places.has(String(number)) ? refer(places.get(String(number)), "number") : number,
  });
};

/** Returns a value with the secrets that `referSecrets` replaced. */
export const resolveSecrets = (value: Json, { secrets, nonce }: References): Json => {
  if (secrets.length === 0) return value;
  const pattern = new RegExp(`${RegExp.escape(nonce)}(text|number):(\\d+);`, "g");
  const read = (at: string | undefined): string => {
    const secret = secrets[Number(at)];
    if (secret === undefined) throw new Error("a stored value refers to an unknown secret");
    return secret;
  };
  return mapTexts(value, {
    text: (text) => text.replace(pattern, (_found, _type, at: string) => read(at)),
    number: (number) => number,
    whole: (text) => {
      const [found, type, at] = [...text.matchAll(pattern)][0] ?? [];
      return found === text && type === "number" ? Number(read(at)) : undefined;
    },
  });
};

type Mapping = {
  readonly text: (text: string) => string;
  readonly number: (number: number) => Json;
  /** Maps a whole text to another value; undefined to map it as a text. */
  readonly whole?: (text: string) => Json | undefined;
};

const mapTexts = (value: Json, mapping: Mapping): Json => {
  if (typeof value === "string") return mapping.whole?.(value) ?? mapping.text(value);
  if (typeof value === "number") return mapping.number(value);
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, mapping));
  if (!isObject(value)) return value;
  const mapped: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    setMember(mapped, mapping.text(name), mapTexts(member, mapping));
  }
  return mapped;
};

const isObject = (value: Json): value is JsonObject => isRecord(value);
