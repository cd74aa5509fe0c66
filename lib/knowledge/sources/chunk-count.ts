/** Chunk size and overlap for ingestion, in tokens; `overlap` is less than `size`. */
export type Chunking = { readonly size: number; readonly overlap: number };

/** Returns the number of overlapping chunks that cover a number of tokens. */
export const chunkCount = (tokens: number, { size, overlap }: Chunking): number => {
  if (tokens === 0) return 0;
  return tokens <= size ? 1 : Math.ceil((tokens - size) / (size - overlap)) + 1;
};
