import { isDeepStrictEqual } from "node:util";
import { isRecord, setMember } from "../../lib/values/json/json.ts";

/** A JSON object with replaceable members. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns whether two JSON values are equal; the order of members does not matter. */
export const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other);

/** Returns an object without some members. */
export const without = (value: Members, names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** Returns the items of a list; none for any other value. */
export const toItems = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the items of a list that are objects. */
export const toRecords = (value: unknown): readonly Members[] => toItems(value).filter(isRecord);

/** Lays a parsed value over the one it was parsed from, so that members unknown to the schema are kept. */
export const overlay = <Parsed>(raw: unknown, parsed: Parsed): Parsed =>
  overlayValue(raw, parsed) as Parsed;

const overlayValue = (raw: unknown, parsed: unknown): unknown => {
  if (isRecord(raw) && isRecord(parsed)) {
    const members: Record<string, unknown> = {};
    for (const name of new Set([...Object.keys(raw), ...Object.keys(parsed)])) {
      const isParsed = Object.hasOwn(parsed, name);
      const value = isParsed ? overlayValue(getOwn(raw, name), parsed[name]) : raw[name];
      if (value !== undefined) setMember(members, name, value);
    }
    return members;
  }
  if (Array.isArray(raw) && Array.isArray(parsed)) {
    return parsed.map((item, at) => overlayValue(raw[at], item));
  }
  return parsed;
};

const getOwn = (value: Members, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;

/** Lists the JSON pointers of the innermost values that differ. */
export const differences = (
  one: unknown,
  other: unknown,
  toPointer: (...parts: readonly (string | number)[]) => string,
): string[] => {
  if (isSame(one, other)) return [];
  const under = (part: string | number, a: unknown, b: unknown): string[] =>
    differences(a, b, toPointer).map((inner) => toPointer(part) + inner);
  if (isRecord(one) && isRecord(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].flatMap((name) => under(name, getOwn(one, name), getOwn(other, name)));
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.flatMap((item, at) => under(at, item, other[at]));
  }
  return [""];
};
