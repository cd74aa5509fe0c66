import * as z from "zod";

const unrendered = z.unknown().optional();

/** A schema of the API's document. A keyword that is not here fails the generation. */
export const Schema = z.strictObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.union([z.string(), z.number(), z.boolean()]).optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  get anyOf(): z.ZodOptional<z.ZodArray<typeof Schema>> {
    return z.array(Schema).optional();
  },
  get oneOf(): z.ZodOptional<z.ZodArray<typeof Schema>> {
    return z.array(Schema).optional();
  },
  discriminator: unrendered,
  get items(): z.ZodOptional<z.ZodUnion<readonly [z.ZodLiteral<false>, typeof Schema]>> {
    return z.union([z.literal(false), Schema]).optional();
  },
  get prefixItems(): z.ZodOptional<z.ZodArray<typeof Schema>> {
    return z.array(Schema).optional();
  },
  get properties(): z.ZodOptional<z.ZodRecord<z.ZodString, typeof Schema>> {
    return z.record(z.string(), Schema).optional();
  },
  get additionalProperties(): z.ZodOptional<z.ZodUnion<readonly [z.ZodBoolean, typeof Schema]>> {
    return z.union([z.boolean(), Schema]).optional();
  },
  required: z.array(z.string()).optional(),
  readOnly: z.boolean().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  default: z.unknown().optional(),
  example: z.unknown().optional(),
  pattern: unrendered,
  minLength: unrendered,
  maxLength: unrendered,
  minimum: unrendered,
  maximum: unrendered,
  exclusiveMinimum: unrendered,
  minItems: unrendered,
  maxItems: unrendered,
  propertyNames: unrendered,
  maxProperties: unrendered,
});
export type Schema = z.output<typeof Schema>;

/** Renders the TypeScript type of a schema. */
export const renderType = (schema: Schema): string => renderAlternatives(schema).join(" | ");

/** Renders the members of the union that a schema's type is; one member for any other type. */
const renderAlternatives = (schema: Schema): string[] => {
  if (schema.$ref !== undefined) {
    const [root, ...path] = schema.$ref.replace("#/", "").split("/");
    return [`${root}${path.map((name) => `["${name}"]`).join("")}`];
  }
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const alternatives = schema.enum
    ? [
        ...schema.enum.map((value) => JSON.stringify(value)),
        ...types.filter((type) => type === "null"),
      ]
    : [
        ...types.map((type) => renderSingleType(type, schema)),
        ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(renderAlternatives),
      ];
  return alternatives.length > 0 ? [...new Set(alternatives)] : ["unknown"];
};

const renderSingleType = (type: string, schema: Schema): string => {
  switch (type) {
    case "integer":
      return "number";
    case "array":
      return renderArray(schema);
    case "object":
      return renderObject(schema);
    case "string":
    case "number":
    case "boolean":
    case "null":
      return type;
    default:
      throw new Error(`no TypeScript type for ${type}`);
  }
};

const renderArray = ({ items, prefixItems }: Schema): string => {
  if (prefixItems) return `[\n${indent(prefixItems.map(renderType).join(",\n"))}\n]`;
  const alternatives = renderAlternatives(items || {});
  const [only] = alternatives;
  return alternatives.length === 1 ? `${only}[]` : `(${alternatives.join(" | ")})[]`;
};

const renderObject = ({ properties = {}, additionalProperties, required = [] }: Schema): string => {
  const members = Object.entries(properties).map(
    ([name, property]) =>
      renderComment(property) +
      renderMember(name, renderType(property), {
        isOptional: !required.includes(name),
        isReadOnly: property.readOnly,
      }),
  );
  const others =
    additionalProperties &&
    renderBlock([
      `[key: string]: ${renderType(additionalProperties === true ? {} : additionalProperties)};`,
    ]);
  if (members.length === 0) return others || "Record<string, never>";
  return others ? `(${renderBlock(members)} & ${others})` : renderBlock(members);
};

/** Renders the members of an object type in braces. */
export const renderBlock = (members: readonly string[]): string =>
  `{\n${indent(members.join("\n"))}\n}`;

const indent = (text: string): string => text.replaceAll(/^/gm, "    ");

/** Renders a member of an object type. */
export const renderMember = (
  name: string,
  type: string,
  {
    isOptional = false,
    isReadOnly = false,
  }: { isOptional?: boolean; isReadOnly?: boolean | undefined } = {},
): string => {
  const key = /^([A-Za-z_$][\w$]*|\d+)$/.test(name) ? name : JSON.stringify(name);
  return `${isReadOnly ? "readonly " : ""}${key}${isOptional ? "?" : ""}: ${type};`;
};

/** Renders the comment in front of a member; empty for a schema without description, default or example. */
export const renderComment = (
  documented: Pick<
    Schema,
    "description" | "format" | "default" | "example" | "const" | "enum" | "type"
  > & {
    summary?: string;
  },
): string => {
  const { summary, format, enum: values, type } = documented;
  const tags = (["description", "default", "example"] as const)
    .filter((tag) => documented[tag] !== undefined)
    .map((tag) => `@${tag} ${toText(documented[tag])}`);
  const lines = [
    ...(summary === undefined ? [] : [summary]),
    ...(format === undefined ? [] : [`Format: ${format}`]),
    ...tags,
    ...(documented.const === undefined ? [] : ["@constant"]),
    ...(values ? [`@enum {${[type].flat().join("|")}}`] : []),
  ]
    .join("\n")
    .replaceAll("*/", "*\\/");
  if (lines === "") return "";
  return lines.includes("\n")
    ? `/**\n${lines.replaceAll(/^/gm, " * ")}\n */\n`
    : `/** ${lines} */\n`;
};

const toText = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? JSON.stringify(value, null, 2).replaceAll("\n", "\n    ")
    : String(value);
