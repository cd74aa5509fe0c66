import { isJsonObject, type Json, type JsonObject } from "../../../values/json/json.ts";

/** Returns an own member of an object; undefined for anything else. */
export const getOwnMember = (value: Json | undefined, key: string): Json | undefined =>
  value !== undefined && isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** Returns a member that is an object. */
export const objectIn = (value: Json | undefined, key: string): JsonObject | undefined => {
  const member = getOwnMember(value, key);
  return member !== undefined && isJsonObject(member) ? member : undefined;
};

/** Returns a member that is a list; empty for anything else. */
export const listIn = (value: Json | undefined, key: string): readonly Json[] => {
  const member = getOwnMember(value, key);
  return Array.isArray(member) ? member : [];
};

/** Characters of a text that are searched for a character other than white space. */
const maxBlankLength = 1_000;

/** Returns a member that is a non-blank text. */
export const textIn = (value: Json | undefined, key: string): string | undefined => {
  const member = getOwnMember(value, key);
  return typeof member === "string" && member.slice(0, maxBlankLength).trim() !== ""
    ? member
    : undefined;
};

/** Returns whether a member is true. */
export const flagIn = (value: Json | undefined, key: string): boolean =>
  getOwnMember(value, key) === true;
