import type { Span } from "../../engine/flow/flow-result.ts";
import { isRecord, type Json, type JsonObject, setMember } from "../../json/json.ts";
import type { ParameterDescriptor } from "../../json/parameters.ts";
import { mask } from "../revision/secrets.ts";

/** Shorter ones stand in too many texts by chance; they are masked only where they are the whole text. */
const shortestInText = 6;
/** Shorter parts of a secret that is no string say too little to be masked for themselves. */
const shortestPart = 4;

/** Whether a secret is masked inside longer texts, too. */
export const isHiddenInTexts = (secret: string): boolean => secret.length >= shortestInText;

/**
 * The values of an execution's secret inputs, defaults included: what its trace must not show. Of one that is
 * no string its JSON text, and the strings and numbers in it. The longest first, since one may be part of another.
 */
export const secretValues = (
  parameters: readonly ParameterDescriptor[],
  values: Readonly<JsonObject>,
): string[] => {
  const found = parameters
    .filter(({ secret }) => secret)
    .flatMap(({ name }) => textsOf(values[name] ?? null));
  return [...new Set(found)].toSorted((one, other) => other.length - one.length);
};

const textsOf = (value: Json): string[] => {
  if (typeof value === "string") return value === "" ? [] : [value, ...escaped(value)];
  const whole = typeof value === "object" && value !== null ? [JSON.stringify(value)] : [];
  return [...whole, ...partsOf(value)].filter(({ length }) => length >= shortestPart);
};

const partsOf = (value: Json): string[] => {
  if (typeof value === "string") return [value, ...escaped(value)];
  if (typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(partsOf) : [];
};

/** A text as it stands inside a JSON text. */
const escaped = (text: string): string[] => {
  const inJson = JSON.stringify(text).slice(1, -1);
  return inJson === text ? [] : [inJson];
};

/** Masks secrets wherever they stand in spans, also inside longer texts. */
export const hideInTrace = (spans: readonly Span[], secrets: readonly string[]): readonly Span[] =>
  secrets.length === 0
    ? spans
    : spans.map((span) => ({
        ...span,
        input: hideInValue(span.input, secrets),
        output: hideInValue(span.output, secrets),
        error: span.error && { ...span.error, detail: hideInText(span.error.detail, secrets) },
      }));

/** Masks secrets wherever they stand in a value. */
export const hideInValue = (value: Json, secrets: readonly string[]): Json => {
  if (secrets.length === 0) return value;
  if (typeof value === "string") return hideInText(value, secrets);
  if (typeof value === "number") return secrets.includes(String(value)) ? mask : value;
  if (Array.isArray(value)) return value.map((item: Json) => hideInValue(item, secrets));
  if (!isObject(value)) return value;
  const shown: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    setMember(shown, name, hideInValue(member, secrets));
  }
  return shown;
};

const isObject = (value: Json): value is JsonObject => isRecord(value);

/** Masks secrets in a text. */
export const hideInText = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((shown, secret) => {
    if (!isHiddenInTexts(secret)) return shown === secret ? mask : shown;
    return shown.replaceAll(secret, mask);
  }, text);
