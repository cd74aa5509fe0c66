import { type Json, maxJsonDepth, setMember } from "../json/json.ts";
import { LimitError } from "./expression-error.ts";
import { isFunctionValue, type SizeBook } from "./size-book.ts";

/**
 * The plain JSON of what an expression gave: no marks of jsonata on arrays, ordinary objects,
 * null for what has no value. A function is refused. What the book knows to be plain stays
 * as it is.
 */
export function toJson(value: unknown, book: SizeBook, level = 0): Json {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new LimitError("gives a number that is out of range");
      return value;
    case "undefined":
      return null;
    case "object":
      return value === null ? null : objectToJson(value, book, level);
    default:
      throw new LimitError("gives a function, which is not a value");
  }
}

function objectToJson(value: object, book: SizeBook, level: number): Json {
  if (book.isPlain(value)) return value;
  if (isFunctionValue(value)) throw new LimitError("gives a function, which is not a value");
  if (level >= maxJsonDepth) {
    throw new LimitError(`makes a value nested deeper than ${maxJsonDepth} levels`);
  }
  if (Array.isArray(value)) return Array.from(value, (item) => toJson(item, book, level + 1));
  const result: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) setMember(result, key, toJson(member, book, level + 1));
  }
  return result;
}
