import { once } from "../../platform/runtime/once.ts";

/** Counts the tokens of a piece of text. */
export type TokenCounter = (piece: string) => number;

/** Characters after which the encoder's cache is cleared: its words keep the texts they came from in memory. */
const cachedLength = 1024 * 1024;
/** Counts the names of special tokens as ordinary text. */
const ordinary = { disallowedSpecial: new Set<string>() };

/** Loads the o200k_base counter (2.7 MB) on first use. */
export const loadTokenCounter: () => Promise<TokenCounter> = once(async () => {
  const { countTokens, clearMergeCache } = await import("gpt-tokenizer/encoding/o200k_base");
  let length = 0;
  return (piece) => {
    length += piece.length;
    if (length > cachedLength) {
      clearMergeCache();
      length = piece.length;
    }
    return countTokens(piece, ordinary);
  };
});
