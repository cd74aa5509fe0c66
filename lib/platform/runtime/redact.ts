import { trimEnd } from "./trim-end.ts";

/** An API key without its prefix. */
const keySecrets = /_live_[0-9A-Za-z]{16,}/;
const prefixCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-";
const signingSecrets = /whsec_[A-Za-z0-9+/=]+/g;
/** Runs of the characters of a signed token: matched whole, so that each character is read once. */
const dottedRuns = /[\w.-]+/g;

const tokenStart = "eyJ";
const shortestHeader = 11;

/** Replaces the signed tokens (`header.payload.signature`) in a run of their characters. */
const withoutTokens = (run: string): string => {
  const parts = run.split(".");
  const kept: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? "";
    const start = part.indexOf(tokenStart);
    const isToken = start !== -1 && part.length - start >= shortestHeader && at + 2 < parts.length;
    if (isToken && parts[at + 1] !== "") {
      kept.push(`${part.slice(0, start)}[redacted]`);
      at += 2;
    } else {
      kept.push(part);
    }
  }
  return kept.join(".");
};

const withoutKeys = (text: string): string => {
  const pieces = text.split(keySecrets);
  const last = pieces.pop() ?? "";
  return [...pieces.map((piece) => trimEnd(piece, prefixCharacters)), last].join("[redacted]");
};

/** Replaces API keys of any prefix, signed tokens and signing secrets in a text. */
const withoutSecrets = (text: string): string => {
  const plain = withoutKeys(text).replaceAll(signingSecrets, "[redacted]");
  return plain.includes(tokenStart) ? plain.replaceAll(dottedRuns, withoutTokens) : plain;
};

const secretNames = /^(authorization|x-api-key|api_?key|password|secret|token|cookie)$/i;

/** JSON replacer that redacts secrets and values that look like secrets, at any depth. */
export const redact = (name: string, value: unknown): unknown => {
  if (typeof value !== "string") return value;
  return secretNames.test(name) ? "[redacted]" : withoutSecrets(value);
};
