import { isJsonObject, type Json, type JsonObject } from "../../../json/json.ts";

/** An own member of an object that is one; undefined for anything else. */
export const memberOf = (value: Json | undefined, key: string): Json | undefined =>
  value !== undefined && isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** A member that is an object. */
export const objectIn = (value: Json | undefined, key: string): JsonObject | undefined => {
  const member = memberOf(value, key);
  return member !== undefined && isJsonObject(member) ? member : undefined;
};

/** A member that is a list; empty for anything else. */
export const listIn = (value: Json | undefined, key: string): readonly Json[] => {
  const member = memberOf(value, key);
  return Array.isArray(member) ? member : [];
};

/** How far a text is searched for something that is not white space. */
const longestBlank = 1_000;

/** A member that is a text with something in it. */
export const textIn = (value: Json | undefined, key: string): string | undefined => {
  const member = memberOf(value, key);
  return typeof member === "string" && member.slice(0, longestBlank).trim() !== ""
    ? member
    : undefined;
};

/** Whether a member is true. */
export const flagIn = (value: Json | undefined, key: string): boolean =>
  memberOf(value, key) === true;
