import type { Json, JsonObject } from "../../../values/json/json.ts";
import { ToolError } from "../tool.ts";
import type { WireParameter } from "./planned-parameter.ts";
import { flagIn, getOwnMember, objectIn, textIn } from "./read.ts";
import type { Resolver } from "./resolver.ts";
import { flattenSchema, getKind } from "./schemas.ts";

/** The body of an operation's requests, and its parameters. */
export type BodyPlan = {
  /** Value of Content-Type. */
  readonly mediaType: string;
  readonly required: boolean;
  readonly parameters: readonly WireParameter[];
};

const maxProperties = 60;

const json = /^application\/([a-z0-9.+_-]+\+)?json\b/i;
const form = /^application\/x-www-form-urlencoded\b/i;
const text = /^text\/|^application\/([a-z0-9.+_-]+\+)?xml\b/i;
const anything = /^(\*|application)\/\*/;

/** Returns whether a body of this type is JSON. */
export const isJsonType = (mediaType: string): boolean => json.test(mediaType);
/** Returns whether a body of this type is a URL-encoded form. */
export const isFormType = (mediaType: string): boolean => form.test(mediaType);

/**
 * Plans a request's body: prefers JSON to a form, and a form to text. An object's properties become parameters; any
 * other value is one parameter `body`. Throws a ToolError when a required body has no supported type.
 */
export const planBody = (raw: Json | undefined, resolver: Resolver): BodyPlan | undefined => {
  const node = resolver.resolve(raw);
  if (!node) return undefined;
  const required = flagIn(node, "required");
  const content = objectIn(node, "content") ?? {};
  const types = Object.keys(content);
  resolver.charge(types.length);
  const key = [json, form, anything, text].flatMap(
    (form) => types.find((type) => form.test(type)) ?? [],
  )[0];
  if (key === undefined) {
    if (!required) return undefined;
    throw new ToolError(
      `Bodies of the type ${types.slice(0, 5).join(", ").slice(0, 200)} are not supported.`,
    );
  }
  const media = objectIn(content, key) ?? {};
  const mediaType = anything.test(key) ? "application/json" : key;
  return { mediaType, required, parameters: planParameters(mediaType, media, required, resolver) };
};

const planParameters = (
  mediaType: string,
  media: JsonObject,
  required: boolean,
  resolver: Resolver,
): WireParameter[] => {
  const schema = getOwnMember(media, "schema");
  const flat = flattenSchema(schema, resolver);
  const properties = Object.entries(objectIn(flat, "properties") ?? {});
  const whole = wholeBody(flat, schema, required);
  if (!isJsonType(mediaType) && !isFormType(mediaType)) return [whole];
  if (!isPlainObject(flat, resolver) || properties.length > maxProperties) return [whole];
  const names = new Set(requiredNames(flat));
  return properties.flatMap(([name, property]) => {
    const shown = resolver.find(property);
    if (flagIn(shown, "readOnly")) return [];
    const encoding = objectIn(objectIn(media, "encoding"), name);
    const style = textIn(encoding, "style") ?? "form";
    const explode = getOwnMember(encoding, "explode");
    return [
      {
        place: "body" as const,
        wireName: name,
        required: required && names.has(name),
        description: textIn(shown, "description"),
        schema: property,
        style,
        explode: typeof explode === "boolean" ? explode : style === "form",
        isJson: /json/i.test(textIn(encoding, "contentType") ?? ""),
      },
    ];
  });
};

const requiredNames = (flat: JsonObject): string[] =>
  Array.isArray(flat.required) ? flat.required.filter((name) => typeof name === "string") : [];

const wholeBody = (
  flat: JsonObject,
  schema: Json | undefined,
  required: boolean,
): WireParameter => ({
  place: "body",
  wireName: undefined,
  required,
  description: textIn(flat, "description") ?? "The body of the request.",
  schema,
  style: "form",
  explode: true,
  isJson: false,
});

/** Returns whether properties alone define an object; alternatives of required properties do not matter. */
const isPlainObject = (flat: JsonObject, resolver: Resolver): boolean => {
  if (getKind(flat) !== "object" || getOwnMember(flat, "properties") === undefined) return false;
  return ["oneOf", "anyOf"].every((key) => {
    const choices = getOwnMember(flat, key);
    if (!Array.isArray(choices)) return true;
    resolver.charge(choices.length);
    return choices.every(
      (choice) =>
        typeof choice === "object" &&
        choice !== null &&
        Object.keys(choice).every((member) => member === "required"),
    );
  });
};
