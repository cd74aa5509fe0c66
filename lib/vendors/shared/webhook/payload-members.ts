import { sha256Hex } from "../../../platform/signatures/signatures.ts";

/** Returns the value at a path of own members; undefined when missing. */
export const getMember = (value: unknown, ...path: readonly string[]): unknown => {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, name)?.value;
  }
  return at;
};

/** Returns the non-empty text, or integer as text, at a path. */
export const getText = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = getMember(value, ...path);
  if (typeof found === "string") return found === "" ? undefined : found;
  return typeof found === "number" && Number.isSafeInteger(found) ? String(found) : undefined;
};

/** Returns the list at a path; empty when missing. */
export const getList = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = getMember(value, ...path);
  return Array.isArray(found) ? found : [];
};

/** Returns whether a value has all these members. */
export const hasMembers = (value: unknown, names: readonly string[]): boolean =>
  names.every((name) => getMember(value, name) !== undefined);

const maxEventTypeLength = 256;

/** Returns an event type; null when missing or too long. */
export const toEventType = (text: string | undefined): string | null =>
  text === undefined || text.length > maxEventTypeLength ? null : text;

/** Returns a provider's id for use in a key, hashed where it is long or not printable; null when missing. */
export const toDeliveryId = (text: string | undefined): string | null => {
  if (text === undefined || text === "") return null;
  return /^[\x21-\x7e]{1,200}$/.test(text) ? text : `sha256:${sha256Hex(text)}`;
};

/** Derives an id for a delivery without one from content that is equal on redelivery. */
export const hashedId = (...parts: readonly (string | Uint8Array)[]): string =>
  `sha256:${sha256Hex(...parts.flatMap((part) => [part, "\n"]))}`;
