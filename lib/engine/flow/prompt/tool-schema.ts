import { maxFilesOfInput } from "../../../values/json/file-value.ts";
import { isJsonObject, type Json, type JsonObject, setMember } from "../../../values/json/json.ts";
import { valueOfOption } from "../../../values/json/parameter-value.ts";
import type { ParameterDescriptor } from "../../../values/json/parameters.ts";
import { parseJson } from "../../../values/json/parse-json.ts";

/**
 * Builds the JSON Schema of an object with these parameters. Omits secret parameters with a default, which a
 * model must not set.
 */
export const buildToolSchema = (descriptors: readonly ParameterDescriptor[]): JsonObject => {
  const offered = descriptors.filter(
    ({ secret, defaultValue }) => !(secret && defaultValue !== null),
  );
  const properties: Record<string, Json> = {};
  for (const descriptor of offered) {
    setMember(properties, descriptor.name, toParameterSchema(descriptor));
  }
  const required = offered
    .filter((descriptor) => descriptor.required && descriptor.defaultValue === null)
    .map(({ name }) => name);
  return { type: "object", properties, required, additionalProperties: false };
};

const toParameterSchema = (descriptor: ParameterDescriptor): JsonObject => {
  const { description, displayName, defaultValue, secret } = descriptor;
  const { schema, note } = toTypeSchema(descriptor);
  const shown = defaultValue === null || secret ? undefined : `Default: ${defaultValue}`;
  const texts = [description ?? displayName, note, shown].filter(
    (text) => text !== undefined && text !== null,
  );
  return texts.length === 0 ? schema : { ...schema, description: texts.join(" ") };
};

const toTypeSchema = (
  descriptor: ParameterDescriptor,
): {
  readonly schema: JsonObject;
  readonly note?: string;
} => {
  switch (descriptor.type) {
    case "String":
      return { schema: { type: "string" } };
    case "Asset":
      return { schema: { type: "string" }, note: "The id of an asset." };
    case "Boolean":
      return { schema: { type: "boolean" } };
    case "Integer":
      return { schema: { type: "integer", ...bounds(descriptor.integerRange) } };
    case "Float":
      return { schema: { type: "number", ...bounds(descriptor.floatRange) } };
    case "Option":
      return { schema: { type: "string", enum: descriptor.options.map(valueOfOption) } };
    case "Json":
      return parseParameterSchema(descriptor.jsonSchema);
    case "File":
      return { schema: buildFileSchema(descriptor), note: describeFiles(descriptor) };
  }
};

/** A file as models and protocols name it. */
const fileSchema: JsonObject = {
  type: "object",
  properties: {
    fileId: { type: "string", description: "The id of a stored file." },
    url: { type: "string", description: "An https address, from which the file is fetched." },
    base64: { type: "string", description: "The content." },
    name: { type: "string", description: "The name of the file, with url or base64." },
  },
};

const buildFileSchema = ({ multiple }: ParameterDescriptor): JsonObject =>
  multiple ? { type: "array", items: fileSchema, maxItems: maxFilesOfInput } : fileSchema;

const describeFiles = ({ accept }: ParameterDescriptor): string =>
  `A file: {fileId}, {url} or {base64, name}.${accept?.length ? ` Media types: ${accept.join(", ")}.` : ""}`;

const bounds = (range: ParameterDescriptor["integerRange"]): JsonObject => ({
  ...(range === null || range.min === null ? {} : { minimum: range.min }),
  ...(range === null || range.max === null ? {} : { maximum: range.max }),
});

/** Describes in text a schema with references from its root, which cannot be nested in another schema. */
const parseParameterSchema = (text: string | null) => {
  const parsed = text === null ? undefined : parseJson(text);
  if (text === null || !parsed?.ok || !isJsonObject(parsed.value)) return { schema: {} };
  if (text.includes('"$ref"')) return { schema: {}, note: `JSON Schema of the value: ${text}` };
  return { schema: parsed.value };
};
