/** How texts are cut before they are ingested, in tokens; `overlap` is less than `size`. */
export type Chunking = { readonly size: number; readonly overlap: number };

/** How many windows of `size` tokens, each beginning `size - overlap` after the one before, cover so many tokens. */
export const chunkCount = (tokens: number, { size, overlap }: Chunking): number => {
  if (tokens === 0) return 0;
  return tokens <= size ? 1 : Math.ceil((tokens - size) / (size - overlap)) + 1;
};
