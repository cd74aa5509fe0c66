import * as z from "zod";

/** An edge makes its target wait for its source. */
export const Edge = z.object({ source: z.string(), target: z.string() });
export type Edge = z.output<typeof Edge>;
