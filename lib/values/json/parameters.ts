import * as z from "zod";
import { refuseUnknown } from "../../platform/http/unknown-members.ts";
import { nullAs, optionalFlag, optionalText, optionalWhole } from "./null-as.ts";

const range = z
  .object({ min: z.number().nullable().default(null), max: z.number().nullable().default(null) })
  .nullable()
  .default(null);

const mediaRange = /^(?:\*\/\*|[A-Za-z0-9.+-]+\/(?:\*|[A-Za-z0-9.+-]+))$/;
const maxFileBytes = 64 * 1024 * 1024;

/** Types of parameters. */
export const parameterTypes = [
  "String",
  "Integer",
  "Float",
  "Boolean",
  "Option",
  "Json",
  "Asset",
  "File",
] as const;

/** A choice of an Option: its value, with an optional display name. */
export const ParameterOption = z.union([
  z.string(),
  z.object({ value: z.string(), displayName: z.string().nullish() }),
]);
export type ParameterOption = z.output<typeof ParameterOption>;

/**
 * One named input of an agent, or one parameter of a tool.
 *
 * `type` determines the allowed JSON values, which are never converted: `String` a string, `Integer` a
 * whole number within `integerRange`, `Float` a number within `floatRange`, `Boolean` true or
 * false, `Option` one of the strings in `options`, `Json` anything that `jsonSchema` (a JSON
 * Schema, as a string) allows, `Asset` the id of an asset, `File` a file, or with `multiple` a list of them: `{fileId}`,
 * `{url}` or `{base64, name}`; `accept` has the media types, such as `image/*`, and `maxBytes` the size of a file. A `jsonSchema` is checked for the
 * other types, too. `defaultValue` is a string whatever the type: 3, true or a JSON text are
 * written as one.
 */
export const ParameterDescriptor = refuseUnknown(
  z
    .object({
      name: z.string().min(1).max(128),
      index: optionalWhole,
      type: z.enum(parameterTypes),
      typeName: optionalText,
      integerRange: range,
      floatRange: range,
      options: nullAs(z.array(ParameterOption).max(1_000), []),
      asset: z
        .object({
          providers: z.array(z.string()).max(200).nullish(),
          contentTypes: z.array(z.string()).max(200).nullish(),
          vectorized: z.boolean().nullish(),
        })
        .nullable()
        .default(null),
      accept: z
        .array(z.string().regex(mediaRange, "must be a media type, such as image/*"))
        .max(50)
        .nullish(),
      maxBytes: z.int().min(1).max(maxFileBytes).nullish(),
      multiple: z.boolean().nullish(),
      displayName: optionalText,
      description: optionalText,
      required: optionalFlag,
      secret: optionalFlag,
      defaultValue: optionalText,
      jsonSchema: optionalText,
      uiHint: optionalText,
      rules: nullAs(z.array(z.unknown()).max(100), []),
    })
    .meta({
      id: "ParameterDescriptor",
      description:
        "A named input. type: String, Integer (integerRange), Float (floatRange), Boolean, Option (options), Json (jsonSchema), Asset (an asset's id) or File (accept, maxBytes, multiple); values are never converted. defaultValue is a string whatever the type.",
      example: { name: "city", type: "String", required: true, description: "Where the user is." },
    }),
);
export type ParameterDescriptor = z.output<typeof ParameterDescriptor>;
