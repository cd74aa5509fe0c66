import * as z from "zod";

/** A stored file as expressions, models, traces and records see it. Never its content. */
export const FlowFile = z.object({
  id: z.string(),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.int().min(0),
});
export type FlowFile = z.output<typeof FlowFile>;
