import { parseForm } from "./parse-form.ts";

/** Deeper JSON is left as the text that it is. */
const deepest = 100;

/**
 * What a body means: the value of a JSON or form body, a string for other text, {base64} for anything else.
 * A form whose `payload` field holds JSON, as Slack and GitHub send, is that JSON. Members named `__proto__`
 * are left out. JSON that is broken or deeper than 100, and a form of more than 10,000 members, is a string.
 * Of a content type that was sent twice, the first counts. Takes time linear in the body. Never throws.
 */
export const parsePayload = (contentType: string | undefined, body: Uint8Array): unknown => {
  const mediaType = (contentType ?? "").split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? "";
  const kind = kindOf(mediaType);
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

const kindOf = (mediaType: string): Kind => {
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

/** Undefined for what is no JSON, or too deep. */
const parseJson = (text: string): Parsed => {
  try {
    const value: unknown = JSON.parse(text);
    return clean(value) ? { value } : undefined;
  } catch {
    return undefined;
  }
};

/** Takes out members that could become a prototype; false when the value is too deep. */
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
