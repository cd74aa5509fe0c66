import { sha256Hex } from "../../platform/signatures/signatures.ts";

/** The value at a path of own members; undefined when it is not there. */
export const memberOf = (value: unknown, ...path: readonly string[]): unknown => {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, name)?.value;
  }
  return at;
};

/** The text, or whole number as text, at a path; undefined for anything else, "" included. */
export const textOf = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = memberOf(value, ...path);
  if (typeof found === "string") return found === "" ? undefined : found;
  return typeof found === "number" && Number.isSafeInteger(found) ? String(found) : undefined;
};

/** The list at a path; empty when there is none. */
export const listOf = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = memberOf(value, ...path);
  return Array.isArray(found) ? found : [];
};

/** Whether a value has every one of the members. */
export const hasMembers = (value: unknown, names: readonly string[]): boolean =>
  names.every((name) => memberOf(value, name) !== undefined);

const longestEventType = 256;

/** An event type as it may be stored; null for one that is missing or too long. */
export const eventTypeOf = (text: string | undefined): string | null =>
  text === undefined || text.length > longestEventType ? null : text;

/** A provider's id as it may be part of a key: itself, its hash where it is long or odd; null when missing. */
export const deliveryIdOf = (text: string | undefined): string | null => {
  if (text === undefined || text === "") return null;
  return /^[\x21-\x7e]{1,200}$/.test(text) ? text : `sha256:${sha256Hex(text)}`;
};

/** The id of a delivery that has none of its own: a hash of what is the same when it is sent again. */
export const hashedId = (...parts: readonly (string | Uint8Array)[]): string =>
  `sha256:${sha256Hex(...parts.flatMap((part) => [part, "\n"]))}`;
