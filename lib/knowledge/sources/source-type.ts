import * as z from "zod";
import type { Source } from "../../vendors/source.ts";
import type { SourceType } from "./schemas.ts";

const Meta = z.object({
  displayName: z.string(),
  description: z.string(),
  secret: z.boolean().default(false),
});

/** Converts a source to its API shape, derived from its parameters' schemas. */
export const toSourceType = ({ key, displayName, parameters }: Source): SourceType => ({
  key,
  displayName,
  parameters: Object.entries(parameters.shape).map(([name, schema]) => ({
    name,
    ...Meta.parse(z.looseObject({}).parse(readMeta(schema))),
    required: !z.safeParse(schema, undefined).success,
  })),
});

const readMeta = (schema: z.core.$ZodType): unknown => z.globalRegistry.get(schema) ?? {};
