import { parseForm } from "./parse-form.ts";

/** JSON nested deeper stays a string. */
const deepest = 100;

/**
 * Parses a body: the value of JSON or a form, a string for other text, {base64} for anything else. A form's JSON
 * `payload` field (Slack, GitHub) is unwrapped; `__proto__` members are dropped. Invalid or too deep JSON and
 * forms of more than 10,000 members stay strings. Linear time; never throws.
 */
export const parsePayload = (contentType: string | undefined, body: Uint8Array): unknown => {
  const mediaType = (contentType ?? "").split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? "";
  const kind = detectKind(mediaType);
  const text = kind === "binary" ? undefined : decode(body);
  if (text === undefined) return { base64: Buffer.from(body).toString("base64") };
  if (kind === "json") return valueOr(parseJson(text), text);
  if (kind === "form") return readForm(text);
  if (kind === "unsaid" && /^\s*[[{]/.test(text)) return valueOr(parseJson(text), text);
  return text;
};

type Kind = "json" | "form" | "text" | "binary" | "unsaid";

const textTypes = new Set([
  "application/xml",
  "application/javascript",
  "application/yaml",
  "application/x-yaml",
  "application/graphql",
  "application/x-ndjson",
  "application/jsonl",
]);

const detectKind = (mediaType: string): Kind => {
  if (mediaType === "") return "unsaid";
  if (/^(?:application|text)\/(?:.+\+)?json$/.test(mediaType)) return "json";
  if (mediaType === "application/x-www-form-urlencoded") return "form";
  const isText =
    mediaType.startsWith("text/") || mediaType.endsWith("+xml") || textTypes.has(mediaType);
  return isText ? "text" : "binary";
};

const decode = (body: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
};

type Parsed = { value: unknown } | undefined;

const valueOr = (parsed: Parsed, text: string): unknown => (parsed ? parsed.value : text);

/** Undefined for invalid or too deep JSON. */
const parseJson = (text: string): Parsed => {
  try {
    const value: unknown = JSON.parse(text);
    return clean(value) ? { value } : undefined;
  } catch {
    return undefined;
  }
};

/** Removes `__proto__` members; false when the value is too deep. */
const clean = (root: unknown): boolean => {
  let level: object[] = isObject(root) ? [root] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > deepest) return false;
    const next: object[] = [];
    for (const value of level) {
      if (!Array.isArray(value)) Reflect.deleteProperty(value, "__proto__");
      for (const member of Object.values(value)) if (isObject(member)) next.push(member);
    }
    level = next;
  }
  return true;
};

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const readForm = (text: string): unknown => {
  const members = parseForm(text);
  if (members === undefined) return text;
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of members) {
    if (name === "__proto__") continue;
    const before = fields.get(name);
    if (before === undefined) fields.set(name, value);
    else if (typeof before === "string") fields.set(name, [before, value]);
    else before.push(value);
  }
  const wrapped = fields.get("payload");
  const payload = typeof wrapped === "string" ? parseJson(wrapped) : undefined;
  return isObject(payload?.value) ? payload.value : Object.fromEntries(fields);
};
