import * as z from "zod";

/** Other items may have members of these names that are not values. */
const Value = z.object({ object: z.string().optional() }).optional().catch(undefined);

/**
 * Returns the schema of an item that is deleted: its key and the objects of its values, with other members.
 * @param values names of the members that may be in the bucket
 */
export const purgedItem = <Members extends z.ZodRawShape>(
  values: readonly string[],
  members: Members,
) =>
  z.looseObject({ pk: z.string(), sk: z.string(), ...members }).transform((item) => ({
    ...item,
    objects: values.flatMap((name) => Value.parse(item[name])?.object ?? []),
  }));
