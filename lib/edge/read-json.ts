import { malformedJson, Problem } from "../platform/http/problems.ts";
import { findJsonFault } from "../values/json/find-json-fault.ts";

const maxNesting = 100;
const wholeBody = "The body";

/** Decodes UTF-8. Throws 400. */
export const decodeUtf8 = (bytes: Uint8Array): string => {
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
export const readJson = (text: string, subject = wholeBody): unknown => {
  if (nestsTooDeeply(text)) {
    throw malformedJson(`${subject} nests deeper than ${maxNesting} levels.`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (surrogate.test(text)) requireWellFormed(value, subject);
    return value;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw malformedJson(`${subject} is not JSON${describeFault(text, subject)}.`);
  }
};

const describeFault = (text: string, subject: string): string => {
  const fault = findJsonFault(text);
  if (!fault) return "";
  const line = subject === wholeBody ? `line ${fault.line}, ` : "";
  return `: ${fault.problem} at ${line}column ${fault.column}`;
};

const surrogate = /\\u[dD]/;

const requireWellFormed = (value: unknown, subject: string): void => {
  if (typeof value === "string" && !value.isWellFormed()) {
    const where = subject === wholeBody ? "the body" : subject;
    throw malformedJson(
      `A string of ${where} contains an unpaired surrogate, such as \\ud83d alone.`,
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
