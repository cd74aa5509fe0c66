import type { Span } from "../flow/flow-result.ts";
import { isRecord, type Json, type JsonObject, setMember } from "../flow/json.ts";
import type { ParameterDescriptor } from "../flow/parameters.ts";
import { mask } from "../revision/secrets.ts";

/** Shorter ones stand in too many texts by chance; they are masked only where they are the whole text. */
const shortestInText = 6;

/** The values of an execution's secret inputs, defaults included: what its trace must not show. */
export const secretValues = (
  parameters: readonly ParameterDescriptor[],
  values: Readonly<Record<string, unknown>>,
): string[] =>
  parameters
    .filter(({ secret }) => secret)
    .map(({ name }) => values[name])
    .filter((value) => typeof value === "string" && value !== "")
    .map(String);

/** Masks secrets wherever they stand in spans, also inside longer texts. */
export const hideInTrace = (spans: readonly Span[], secrets: readonly string[]): readonly Span[] =>
  secrets.length === 0
    ? spans
    : spans.map((span) => ({
        ...span,
        input: hide(span.input, secrets),
        output: hide(span.output, secrets),
        error: span.error && { ...span.error, detail: hideInText(span.error.detail, secrets) },
      }));

const hide = (value: Json, secrets: readonly string[]): Json => {
  if (typeof value === "string") return hideInText(value, secrets);
  if (Array.isArray(value)) return value.map((item: Json) => hide(item, secrets));
  if (!isObject(value)) return value;
  const shown: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    setMember(shown, name, hide(member, secrets));
  }
  return shown;
};

const isObject = (value: Json): value is JsonObject => isRecord(value);

/** Masks secrets in a text. */
export const hideInText = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((shown, secret) => {
    if (secret.length < shortestInText) return shown === secret ? mask : shown;
    return shown.replaceAll(secret, mask);
  }, text);
