import * as z from "zod";
import type { Item } from "./classify.ts";

const AnyItem = z.custom<Item>((value) => value instanceof Object && !Array.isArray(value));

const toJson = (_name: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;

const toBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64"));

/** A text or texts under `B` and `BS` are bytes: members of these names have objects as values. */
const fromJson = (name: string, value: unknown): unknown => {
  if (name === "B" && typeof value === "string") return toBytes(value);
  return name === "BS" && Array.isArray(value)
    ? value.map((item) => (typeof item === "string" ? toBytes(item) : item))
    : value;
};

/** Writes an item as a line of DynamoDB's JSON, with bytes in base64. */
export const formatItem = (item: Item): string => JSON.stringify(item, toJson);

/** Reads a line of DynamoDB's JSON. */
export const parseItem = (line: string): Item => AnyItem.parse(JSON.parse(line, fromJson));
