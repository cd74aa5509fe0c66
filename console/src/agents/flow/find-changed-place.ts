import { isRecord } from "../../flow-graph/members.ts";

/**
 * Returns the pointer of the only text or number that differs between two values; undefined if more differs, or
 * something with another shape.
 */
export const findChangedPlace = (
  before: unknown,
  after: unknown,
  pointer = "",
): string | undefined => {
  if (isLeaf(before) && isLeaf(after)) return pointer;
  const [left, right] = [readMembers(before), readMembers(after)];
  if (!left || !right || Array.isArray(before) !== Array.isArray(after)) return undefined;
  const names = [...new Set([...left.keys(), ...right.keys()])];
  const [name, ...others] = names.filter(
    (member) => !Object.is(left.get(member), right.get(member)),
  );
  if (name === undefined || others.length > 0) return undefined;
  return findChangedPlace(left.get(name), right.get(name), `${pointer}/${name}`);
};

/** A member without a value is a field that is empty. */
const isLeaf = (value: unknown): boolean =>
  value === undefined || typeof value === "string" || typeof value === "number";

const readMembers = (value: unknown): ReadonlyMap<string, unknown> | undefined => {
  if (Array.isArray(value)) return new Map(value.map((item, at) => [String(at), item]));
  return isRecord(value) ? new Map(Object.entries(value)) : undefined;
};
