/** A fault of a text that is not JSON. `line` and `column` count from 1, columns in characters. */
export type JsonFault = {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
};

/**
 * Finds the first fault of a text that is not JSON, in one pass; undefined for JSON.
 * `problem` never quotes the text, which may have secrets.
 */
export const findJsonFault = (text: string): JsonFault | undefined => {
  const found = scan(text);
  if (!found) return undefined;
  const lines = text.slice(0, found.at).split(/\r\n|\r|\n/);
  const before = lines.at(-1) ?? "";
  const column = before.length - (before.match(surrogatePair)?.length ?? 0) + 1;
  return { line: lines.length, column, problem: found.problem };
};

/** Describes the first fault of a text that is not JSON, such as "trailing comma at line 4, column 12". */
export const describeJsonFault = (text: string): string | undefined => {
  const fault = findJsonFault(text);
  return fault && `${fault.problem} at line ${fault.line}, column ${fault.column}`;
};

const surrogatePair = /[\ud800-\udbff][\udc00-\udfff]/g;

type Found = { readonly at: number; readonly problem: string };

/**
 * The expected next token. `first` is a value or name right after a bracket that opens, `next` one
 * after a comma.
 */
type Expected = "value" | "first" | "next" | "colon" | "comma";

type State = {
  expected: Expected;
  /** The brackets that are open, with their positions. */
  readonly open: { readonly bracket: string; readonly at: number }[];
  /** The position of the last comma. */
  comma: number;
};

type Token = { readonly kind: "string" | "word" | "mark"; readonly end: number };

const scan = (text: string): Found | undefined => {
  const state: State = { expected: "value", open: [], comma: 0 };
  for (let at = skipSpace(text, 0); at < text.length; ) {
    const token = readToken(text, at);
    const fault = "problem" in token ? token : step(state, text.charAt(at), token.kind, at);
    if (fault) return fault;
    if ("end" in token) at = skipSpace(text, token.end);
  }
  const last = state.open.at(-1);
  if (last)
    return { at: last.at, problem: `unclosed ${last.bracket === "{" ? "object" : "array"}` };
  return state.expected === "value" ? { at: text.length, problem: "missing value" } : undefined;
};

/** Moves the state by a token; returns the fault of one that may not come here. */
const step = (state: State, char: string, kind: Token["kind"], at: number): Found | undefined => {
  const { expected, open } = state;
  const inObject = open.at(-1)?.bracket === "{";
  if (kind === "mark" && (char === "}" || char === "]")) return close(state, char, at);
  if (expected === "colon") {
    if (char !== ":") return { at, problem: "missing colon after a member's name" };
    state.expected = "value";
  } else if (expected === "comma") {
    if (open.length === 0) return { at, problem: "text after the end of the JSON value" };
    if (char !== ",") return { at, problem: "missing comma" };
    state.comma = at;
    state.expected = "next";
  } else if (inObject && expected !== "value") {
    if (kind !== "string") return { at, problem: "member name without double quotes" };
    state.expected = "colon";
  } else if (kind === "mark" && (char === "{" || char === "[")) {
    open.push({ bracket: char, at });
    state.expected = "first";
  } else if (kind === "mark") {
    return { at, problem: "missing value" };
  } else state.expected = "comma";
  return undefined;
};

const close = (state: State, char: string, at: number): Found | undefined => {
  const { expected, open, comma } = state;
  const last = open.at(-1);
  if (!last) return { at, problem: `${char} without its ${char === "}" ? "{" : "["}` };
  const expectedChar = last.bracket === "{" ? "}" : "]";
  if (char !== expectedChar) return { at, problem: `${char} in place of ${expectedChar}` };
  if (expected === "next") return { at: comma, problem: "trailing comma" };
  if (expected === "colon") return { at, problem: "missing colon after a member's name" };
  if (expected === "value") return { at, problem: "missing value" };
  open.pop();
  state.expected = "comma";
  return undefined;
};

const space = /[ \t\n\r]*/y;
const word = /[^ \t\n\r{}[\],:"]+/y;
const unescaped = /[ !#-[\]-\uffff]*/y;
const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

const findEnd = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

const skipSpace = (text: string, at: number): number => findEnd(space, text, at);

const readToken = (text: string, at: number): Token | Found => {
  const char = text.charAt(at);
  if (char === '"') return readString(text, at);
  if ("{}[],:".includes(char)) return { kind: "mark", end: at + 1 };
  const end = findEnd(word, text, at);
  if (scalar.test(text.slice(at, end))) return { kind: "word", end };
  return { at, problem: describeWord(char, text.charAt(at + 1)) };
};

const describeWord = (char: string, next: string): string => {
  if (char === "/" && (next === "/" || next === "*")) return "comment";
  if ("'`\u2018\u2019\u201c\u201d".includes(char)) return 'quotation mark other than "';
  if (/[-+.\d]/.test(char)) return "invalid number";
  return "text without double quotes";
};

const readString = (text: string, start: number): Token | Found => {
  for (let at = start + 1; ; ) {
    at = findEnd(unescaped, text, at);
    const char = text.charAt(at);
    if (char === '"') return { kind: "string", end: at + 1 };
    if (char === "" || char === "\n" || char === "\r") {
      return { at: start, problem: "string without a closing quotation mark on its line" };
    }
    if (char !== "\\") return { at, problem: "control character in a string" };
    const end = findEnd(escaped, text, at);
    if (end === at) return { at, problem: "invalid escape in a string" };
    at = end;
  }
};
