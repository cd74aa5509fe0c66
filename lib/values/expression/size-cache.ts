import { type Json, maxJsonDepth } from "../json/json.ts";
import { LimitError } from "./expression-error.ts";
import { imitatesFunction, isFunctionValue } from "./function-values.ts";

type Size = { readonly bytes: number; readonly height: number };
type Entry = Size & {
  readonly plain: boolean;
  /** Whether it or a value in it imitates a function. */
  readonly imitates: boolean;
};
type Container = Exclude<Json, null | boolean | number | string>;

/**
 * Caches the size of values as JSON, so that a part shared by several values counts for each of them but is
 * measured once.
 */
export type SizeCache = {
  /** Returns the bytes of a value. Throws a LimitError when it is too large or nested too deeply. */
  measure(value: unknown, remember?: boolean): number;
  /** Measures an immutable JSON value and marks it as plain. */
  adopt(value: Json): Size;
  /** Sets the size of a growing container, such as all steps' outputs. */
  setContainer(value: object, size: Size): void;
  /** As `measure`; throws a LimitError for a value that jsonata would take for a function. */
  note(value: object, remember: boolean): void;
  has(value: object): boolean;
  isPlain(value: object): value is Container;
};

const functionBytes = 64;

const imitation =
  "reads a value with the member `_jsonata_function` or `_jsonata_lambda`, by which JSONata recognizes functions";

/** Creates a cache for values of at most `maxBytes`. */
export const createSizeCache = (maxBytes: number): SizeCache => {
  const entries = new WeakMap<object, Entry>();
  const tooLarge = () => new LimitError(`makes a value of more than ${maxBytes} bytes`);
  const tooDeep = () => new LimitError(`makes a value nested deeper than ${maxJsonDepth} levels`);

  const stringBytes = (text: string): number => {
    if (text.length > maxBytes) throw tooLarge();
    return Buffer.byteLength(JSON.stringify(text));
  };

  const scan = (value: unknown, plain: boolean, remember: boolean, level: number): Entry => {
    const leaf = (bytes: number): Entry => ({ bytes, height: 0, plain, imitates: false });
    switch (typeof value) {
      case "string":
        return leaf(stringBytes(value));
      case "number":
        return leaf(Number.isFinite(value) ? String(value).length : 4);
      case "object":
        return value === null ? leaf(4) : scanObject(value, plain, remember, level);
      default:
        return leaf(5);
    }
  };

  const scanObject = (value: object, plain: boolean, remember: boolean, level: number): Entry => {
    const known = entries.get(value);
    if (known && (remember || known.plain)) {
      if (level + known.height > maxJsonDepth) throw tooDeep();
      return known;
    }
    if (isFunctionValue(value)) {
      return { bytes: functionBytes, height: 0, plain: false, imitates: false };
    }
    if (level >= maxJsonDepth) throw tooDeep();
    let bytes = 1;
    let height = 0;
    let imitates = !Array.isArray(value) && imitatesFunction(value);
    const add = (member: unknown, key?: string) => {
      const entry = scan(member, plain, remember, level + 1);
      bytes += entry.bytes + 1 + (key === undefined ? 0 : stringBytes(key) + 1);
      if (bytes > maxBytes + 1) throw tooLarge();
      if (entry.height > height) height = entry.height;
      if (entry.imitates) imitates = true;
    };
    if (Array.isArray(value)) for (const member of value) add(member);
    else for (const [key, member] of Object.entries(value)) add(member, key);
    const entry = { bytes: Math.max(2, bytes), height: height + 1, plain, imitates };
    if (remember || plain) entries.set(value, entry);
    return entry;
  };

  return {
    measure: (value, remember = true) => scan(value, false, remember, 0).bytes,
    adopt: (value) => scan(value, true, true, 0),
    setContainer: (value, size) => entries.set(value, { ...size, plain: false, imitates: false }),
    note(value, remember) {
      if (scan(value, false, remember, 0).imitates) throw new LimitError(imitation);
    },
    has: (value) => entries.has(value),
    isPlain: (value): value is Container => entries.get(value)?.plain === true,
  };
};
