import { once } from "../../platform/runtime/once.ts";

/** Counts the tokens of a piece of text. */
export type TokenCounter = (piece: string) => number;

/** Characters after which the encoder forgets the words that it met: it holds them as parts of the texts they stood in. */
const rememberedLength = 1024 * 1024;
/** The names of special tokens are words like any other in what is read. */
const ordinary = { disallowedSpecial: new Set<string>() };

/** Loads the counter of o200k_base, 2.7 MB with its ranks, on first use. */
export const loadTokenCounter: () => Promise<TokenCounter> = once(async () => {
  const { countTokens, clearMergeCache } = await import("gpt-tokenizer/encoding/o200k_base");
  let length = 0;
  return (piece) => {
    length += piece.length;
    if (length > rememberedLength) {
      clearMergeCache();
      length = piece.length;
    }
    return countTokens(piece, ordinary);
  };
});
