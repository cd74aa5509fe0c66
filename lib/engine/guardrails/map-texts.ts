import { isRecord, type Json, setMember } from "../../values/json/json.ts";

/** Replaces all texts of a value, names of members included. A number that is replaced becomes a text. */
export const mapTexts = (value: Json, map: (text: string) => string): Json => {
  if (typeof value === "string") return map(value);
  if (typeof value === "number") {
    const text = String(value);
    const mapped = map(text);
    return mapped === text ? value : mapped;
  }
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, map));
  if (!isRecord(value)) return value;
  const mapped: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    setMember(mapped, map(name), mapTexts(member, map));
  }
  return mapped;
};
