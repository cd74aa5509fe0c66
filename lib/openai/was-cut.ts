import * as z from "zod";

const ModelSpan = z.object({
  type: z.literal("Model"),
  parentId: z.string(),
  endTime: z.number(),
  finishReason: z.string(),
});
const PromptSpan = z.object({
  type: z.literal("Prompt"),
  status: z.literal("Succeeded"),
  id: z.string(),
});

/**
 * Returns whether a model's last response to a Prompt of an execution was cut off, where the caller set a limit of its tokens. The
 * limit that counted may be a lower one of the agent.
 */
export const wasCut = (trace: readonly unknown[], limit: number | null | undefined): boolean => {
  if (typeof limit !== "number") return false;
  const models = trace
    .flatMap((span) => ModelSpan.safeParse(span).data ?? [])
    .toSorted((one, other) => one.endTime - other.endTime);
  const last = new Map(models.map(({ parentId, finishReason }) => [parentId, finishReason]));
  return trace
    .flatMap((span) => PromptSpan.safeParse(span).data ?? [])
    .some(({ id }) => last.get(id) === "length");
};
