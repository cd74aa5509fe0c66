import * as z from "zod";
import { limitedRecord } from "../../values/json/limited-record.ts";
import type { VectorFilter } from "../index/vector-store.ts";

const Value = z.union([z.string().max(1_024), z.number(), z.boolean()]);
const Values = z.array(Value).min(1).max(100);

/** Conditions on one member of a document's metadata; several must all hold. */
const Condition = z.union([
  Value,
  z
    .strictObject({
      $eq: Value,
      $ne: Value,
      $in: Values,
      $nin: Values,
      $gt: z.number(),
      $gte: z.number(),
      $lt: z.number(),
      $lte: z.number(),
      $exists: z.boolean(),
    })
    .partial()
    .refine((value) => Object.keys(value).length > 0, "must have an operator, such as $eq"),
]);

/** A name with $ at its start would be an operator. */
const MetadataName = z.string().regex(/^[^$]/, "must not begin with $").max(64);

const maxMembers = 20;

/** Conditions that narrow a search. */
export const SearchFilter = z
  .strictObject({
    documentName: Condition.optional().meta({ description: 'A name, or `{"$in": [names]}`.' }),
    metadata: limitedRecord(MetadataName, Condition, maxMembers).optional().meta({
      description: "Conditions on the metadata that the source returns with its documents.",
    }),
  })
  .meta({ id: "SearchFilter", example: { documentName: "handbook.md" } });
export type SearchFilter = z.output<typeof SearchFilter>;

/**
 * Compiles a filter for vectors of the given assets; `vector-metadata.ts` names its members. All
 * conditions must hold, so none can reach another asset.
 */
export const toVectorFilter = (
  indexIds: readonly string[],
  { documentName, metadata = {} }: SearchFilter,
): VectorFilter => ({
  $and: [
    { asset: { $in: indexIds } },
    ...(documentName === undefined ? [] : [{ name: documentName }]),
    ...Object.entries(metadata).map(([name, condition]) => ({ [name]: condition })),
  ],
});
