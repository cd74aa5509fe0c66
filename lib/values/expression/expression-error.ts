/** A failed expression; the message never contains values of the scope. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  /** Position in the template's text, in characters from 0. */
  readonly position: number | undefined;

  constructor(message: string, position?: number, options?: ErrorOptions) {
    super(message, options);
    this.position = position;
  }
}

/** An evaluation exceeded a limit. */
export class LimitError extends Error {
  override readonly name = "LimitError";
}

const generic = "could not be evaluated";

const stringMember = (error: object, key: string): string | undefined => {
  const value: unknown = Reflect.get(error, key);
  return typeof value === "string" ? value : undefined;
};

const ownWords: { readonly [code: string]: string } = {
  D1011: "calls functions too deeply; check for endless recursion",
  D1012: "takes too long",
  D2014: "makes too long a sequence",
  D2015: "makes too long a sequence",
};

/** Describes an expression's failure, to follow "The expression", without values of the scope or a full stop. */
export const describeExpressionFailure = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return generic;
  if (error instanceof LimitError) return error.message;
  if (error instanceof RangeError) return "needs more memory than an expression may use";
  const message = jsonataMessage(error);
  return message === undefined
    ? generic
    : (ownWords[stringMember(error, "code") ?? ""] ?? `failed: ${withoutFullStop(message)}`);
};

/** An author's text in `$error` may be a sentence. */
const withoutFullStop = (text: string): string => text.replace(/(?<!\.)\.$/, "");

/** Returns the message of a jsonata error, without values of the scope. */
export const jsonataMessage = (error: object): string | undefined => {
  const code = stringMember(error, "code");
  const message = stringMember(error, "message");
  if (code === undefined || message === undefined || !/^[STD]\d{4}$/.test(code)) return undefined;
  return code.startsWith("T04") ? message : withoutValues(message, error);
};

/** jsonata's messages quote the offending value, which may be a secret. */
const withoutValues = (message: string, error: object): string => {
  let text = message;
  for (const key of ["value", "value2", "exp"]) {
    if (!Object.hasOwn(error, key)) continue;
    const quoted = quote(Reflect.get(error, key));
    if (quoted !== undefined) text = text.replaceAll(quoted, "(value)");
  }
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
};

const quote = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
};

/** Returns the position of a jsonata error, in characters from the expression's start. */
export const readPosition = (error: unknown): number | undefined => {
  if (typeof error !== "object" || error === null) return undefined;
  const position: unknown = Reflect.get(error, "position");
  return typeof position === "number" ? position : undefined;
};
