/** An expression that could not be evaluated; the message never holds values of the scope. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  /** Where in the template's text, counted in characters from 0. */
  readonly position: number | undefined;

  constructor(message: string, position?: number, options?: ErrorOptions) {
    super(message, options);
    this.position = position;
  }
}

/** A bound that an evaluation ran into. */
export class LimitError extends Error {
  override readonly name = "LimitError";
}

const generic = "could not be evaluated";

function stringMember(error: object, key: string): string | undefined {
  const value: unknown = Reflect.get(error, key);
  return typeof value === "string" ? value : undefined;
}

const ownWords: { readonly [code: string]: string } = {
  D1011: "calls functions too deeply; check for endless recursion",
  D1012: "takes longer than it may",
  D2014: "makes too long a sequence",
  D2015: "makes too long a sequence",
};

/** What went wrong in an expression, going on from "The expression", without values of the scope. */
export function describeExpressionFailure(error: unknown): string {
  if (typeof error !== "object" || error === null) return generic;
  if (error instanceof LimitError) return error.message;
  if (error instanceof RangeError) return "needs more memory than an expression may use";
  const message = jsonataMessage(error);
  return message === undefined
    ? generic
    : (ownWords[stringMember(error, "code") ?? ""] ?? `failed: ${message}`);
}

/** The message of an error of jsonata's own, without values of the scope. */
export function jsonataMessage(error: object): string | undefined {
  const code = stringMember(error, "code");
  const message = stringMember(error, "message");
  if (code === undefined || message === undefined || !/^[STD]\d{4}$/.test(code)) return undefined;
  return code.startsWith("T04") ? message : withoutValues(message, error);
}

/** jsonata quotes the offending value in its messages, and that may be a secret. */
function withoutValues(message: string, error: object): string {
  let text = message;
  for (const key of ["value", "value2", "exp"]) {
    if (!Object.hasOwn(error, key)) continue;
    const quoted = quote(Reflect.get(error, key));
    if (quoted !== undefined) text = text.replaceAll(quoted, "(value)");
  }
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

function quote(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Where jsonata says that the failure is, in characters from the expression's start. */
export function positionOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const position: unknown = Reflect.get(error, "position");
  return typeof position === "number" ? position : undefined;
}
