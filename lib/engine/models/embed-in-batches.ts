import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { untilAborted } from "../../platform/outgoing/until-aborted.ts";
import type { EmbedResult } from "./model.ts";

/**
 * Most texts of a call. Services accept between 96 (Cohere on Bedrock) and 2,048 (OpenAI); 64 chunks of 512 tokens are
 * far below their limits of tokens in a call.
 */
const maxTexts = 64;
/** Calls at a time to a service that embeds one text in a call. */
const atOnce = 4;

/** Embeds texts in calls of as many as the model allows. */
export const embedInBatches = async (
  model: EmbeddingModelV4,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<EmbedResult> => {
  const size = Math.min(maxTexts, (await model.maxEmbeddingsPerCall) ?? maxTexts);
  const vectors: number[][] = [];
  let inputTokens = 0;
  for (let start = 0; start < texts.length; start += size * atOnce) {
    const batches = Array.from({ length: atOnce }, (_, at) =>
      texts.slice(start + at * size, start + (at + 1) * size),
    ).filter((values) => values.length > 0);
    const results = await Promise.all(
      batches.map((values) =>
        untilAborted(signal, Promise.resolve(model.doEmbed({ values, abortSignal: signal }))),
      ),
    );
    for (const { embeddings, usage } of results) {
      vectors.push(...embeddings);
      inputTokens += usage?.tokens ?? 0;
    }
  }
  return { vectors, inputTokens };
};
