import { malformedJson, Problem } from "../platform/http/problems.ts";

const maxNesting = 100;

/** Decodes UTF-8. Throws 400. */
export const decodeText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformedJson("The body is not UTF-8.");
  }
};

/**
 * Parses a text of a request as JSON. Throws 400 for other texts, deep nesting and halves of characters, which cannot
 * be stored as UTF-8.
 * @param subject names the text in errors
 */
export const readJson = (text: string, subject = "The body"): unknown => {
  if (nestsTooDeeply(text)) {
    throw malformedJson(`${subject} nests deeper than ${maxNesting} levels.`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (surrogate.test(text)) requireWellFormed(value, subject);
    return value;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw malformedJson(`${subject} is not JSON.`);
  }
};

const surrogate = /\\u[dD]/;

const requireWellFormed = (value: unknown, subject: string): void => {
  if (typeof value === "string" && !value.isWellFormed()) {
    const where = subject === "The body" ? "the body" : subject;
    throw malformedJson(
      `A string of ${where} holds half of a surrogate pair, such as \\ud83d alone.`,
    );
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    requireWellFormed(name, subject);
    requireWellFormed(member, subject);
  }
};

const nestsTooDeeply = (text: string): boolean => {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\" && inString) at += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && (character === "{" || character === "[")) {
      depth += 1;
      if (depth > maxNesting) return true;
    } else if (!inString && (character === "}" || character === "]")) depth -= 1;
  }
  return false;
};
