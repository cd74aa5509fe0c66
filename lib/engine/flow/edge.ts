import * as z from "zod";

/** An edge makes its target wait for its source; one with `on` is taken when the source failed. */
export const Edge = z.object({
  source: z.string(),
  target: z.string(),
  on: z.literal("error").nullish().meta({
    description:
      "`error`: taken when the source failed after its retries, in place of its other edges.",
  }),
});
export type Edge = z.output<typeof Edge>;
