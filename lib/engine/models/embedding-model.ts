import * as z from "zod";

/** The model that embeds texts. */
export const EmbeddingModel = z
  .object({
    providerId: z.string().min(1).max(256).meta({ description: "Id of a provider of the tenant." }),
    model: z.string().min(1).max(256),
  })
  .meta({ id: "EmbeddingModel", example: { providerId: "echo", model: "echo-1" } });
export type EmbeddingModel = z.output<typeof EmbeddingModel>;
