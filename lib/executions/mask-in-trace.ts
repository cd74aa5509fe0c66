import type { Span } from "../engine/flow/flow-result.ts";
import { mask } from "../platform/http/mask.ts";
import { isRecord, type Json, type JsonObject, setMember } from "../values/json/json.ts";
import type { ParameterDescriptor } from "../values/json/parameters.ts";

/** Characters; shorter secrets occur in texts by chance and are masked only where they are the whole text. */
const shortestInText = 6;
/** Characters; shorter parts of a structured secret are not masked on their own. */
const shortestPart = 4;

/** Returns whether a secret is masked inside longer texts as well. */
export const isHiddenInTexts = (secret: string): boolean => secret.length >= shortestInText;

/**
 * Returns the texts to mask in a trace: values of secret inputs including defaults, and for structured values
 * their JSON and the strings and numbers in it. Longest first, since one may be part of another.
 */
export const secretValues = (
  parameters: readonly ParameterDescriptor[],
  values: Readonly<JsonObject>,
): string[] => {
  const found = parameters
    .filter(({ secret }) => secret)
    .flatMap(({ name }) => listSecretTexts(values[name] ?? null));
  return [...new Set(found)].toSorted((one, other) => other.length - one.length);
};

const listSecretTexts = (value: Json): string[] => {
  if (typeof value === "string") return value === "" ? [] : [value, ...changed(value)];
  const whole = typeof value === "object" && value !== null ? [JSON.stringify(value)] : [];
  return [...whole, ...listTextParts(value)].filter(({ length }) => length >= shortestPart);
};

const listTextParts = (value: Json): string[] => {
  if (typeof value === "string") return [value, ...changed(value)];
  if (typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(listTextParts)
    : [];
};

/** Returns the other forms of a text: escaped in JSON, and in lower case, as in the host of a URL. */
const changed = (text: string): string[] =>
  [JSON.stringify(text).slice(1, -1), text.toLowerCase()].filter((form) => form !== text);

/** Masks secrets in the inputs, outputs and errors of spans. */
export const maskInTrace = (spans: readonly Span[], secrets: readonly string[]): readonly Span[] =>
  secrets.length === 0
    ? spans
    : spans.map((span) => ({
        ...span,
        input: maskInValue(span.input, secrets),
        output: maskInValue(span.output, secrets),
        error: span.error && { ...span.error, detail: maskInText(span.error.detail, secrets) },
      }));

/** Masks secrets anywhere in a value, names of members included. */
export const maskInValue = (value: Json, secrets: readonly string[]): Json => {
  if (secrets.length === 0) return value;
  if (typeof value === "string") return maskInText(value, secrets);
  if (typeof value === "number") return secrets.includes(String(value)) ? mask : value;
  if (Array.isArray(value)) return value.map((item: Json) => maskInValue(item, secrets));
  if (!isObject(value)) return value;
  const shown: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    setMember(shown, maskInText(name, secrets), maskInValue(member, secrets));
  }
  return shown;
};

const isObject = (value: Json): value is JsonObject => isRecord(value);

/** Masks secrets in a text. */
export const maskInText = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((shown, secret) => {
    if (!isHiddenInTexts(secret)) return shown === secret ? mask : shown;
    return shown.replaceAll(secret, mask);
  }, text);
