import { isJsonObject, type Json } from "../../../values/json/json.ts";
import type { PlannedParameter } from "./planned-parameter.ts";

type Style = Pick<PlannedParameter, "style" | "explode" | "isJson">;

/** Percent-encodes a text as one component of a URL or a form. */
export const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const formatValue = (value: Json): string => {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

/** Serializes a value for a path or, unencoded, a header: OpenAPI's style `simple`. */
export const toSimple = (value: Json, { explode, isJson }: Style, encodeText = encode): string => {
  const write = (part: Json) => encodeText(formatValue(part));
  if (isJson) return encodeText(JSON.stringify(value));
  if (Array.isArray(value)) return value.map(write).join(",");
  if (!isJsonObject(value)) return write(value);
  return Object.entries(value)
    .map(([key, member]) => `${encodeText(key)}${explode ? "=" : ","}${write(member)}`)
    .join(",");
};

const separators: { readonly [style: string]: string } = {
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
};

/** Serializes a value for a query or a form, as encoded `name=value` parts. */
export const toPairs = (
  name: string,
  value: Json,
  { style, explode, isJson }: Style,
): readonly string[] => {
  const pair = (key: string, part: Json) => `${encode(key)}=${encode(formatValue(part))}`;
  if (isJson) return [`${encode(name)}=${encode(JSON.stringify(value))}`];
  if (typeof value !== "object" || value === null) return [pair(name, value)];
  if (style === "deepObject") return deepPairs(name, value, pair);
  if (Array.isArray(value)) {
    if (explode) return value.map((item) => pair(name, item));
    const joined = value.map((item) => encode(formatValue(item))).join(separators[style] ?? ",");
    return value.length > 0 ? [`${encode(name)}=${joined}`] : [];
  }
  const members = Object.entries(value);
  if (explode) return members.map(([key, member]) => pair(key, member));
  const parts = members.map(([key, member]) => `${encode(key)},${encode(formatValue(member))}`);
  return parts.length > 0 ? [`${encode(name)}=${parts.join(",")}`] : [];
};

/** Serializes as `name[key]=value`; lists as `name[]=value`, or `name[0][key]=value` for lists of objects. */
const deepPairs = (
  name: string,
  value: Json,
  pair: (key: string, part: Json) => string,
): readonly string[] => {
  if (typeof value !== "object" || value === null) return [pair(name, value)];
  if (!Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, member]) =>
      deepPairs(`${name}[${key}]`, member, pair),
    );
  }
  const isFlat = value.every((item) => typeof item !== "object" || item === null);
  return value.flatMap((item, at) => deepPairs(`${name}[${isFlat ? "" : at}]`, item, pair));
};
