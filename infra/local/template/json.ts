import { readFileSync } from "node:fs";
import * as z from "zod";

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** Any JSON object. */
export type JsonObject = { [name: string]: Json };

const anyJson = z.custom<Json>((value) => value !== undefined);

/** Parses JSON text; throws a SyntaxError. */
export const parseJson = (text: string): Json => anyJson.parse(JSON.parse(text));

/** Reads a JSON file; throws when it is missing or malformed. */
export const readJson = (path: string): Json => parseJson(readFileSync(path, "utf8"));

/** Returns whether a JSON value is an object. */
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
