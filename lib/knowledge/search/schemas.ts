import * as z from "zod";
import { AssetId } from "../asset/schemas.ts";
import { SearchFilter } from "./search-filter.ts";

/** Request to search assets. */
export const SearchAssetsBody = z
  .object({
    query: z.string().min(1).max(8_192),
    assetIds: z
      .array(AssetId)
      .min(1)
      .max(100)
      .nullish()
      .meta({ description: "Default: the first 100 assets of the tenant that have a source." }),
    topK: z.int().min(1).max(50).nullish().meta({ description: "Default: 5." }),
    filter: SearchFilter.nullish(),
  })
  .meta({ id: "SearchAssetsBody", example: { query: "How long can I return goods?", topK: 5 } });
export type SearchAssetsBody = z.output<typeof SearchAssetsBody>;

const Passage = z
  .object({
    assetId: z.string(),
    documentId: z.string(),
    documentName: z.string(),
    chunk: z.int().meta({ description: "Position of the passage in its document, from 0." }),
    text: z.string(),
    snippet: z.string().meta({
      description: "The part of the text with the words of the query, at most 300 characters.",
    }),
    score: z.number().meta({ description: "From 0 to 1; 1 is the first by meaning and by words." }),
    link: z.string().nullable(),
  })
  .meta({ id: "Passage" });

/** Passages, the best first. */
export const SearchResults = z.object({ items: z.array(Passage) }).meta({ id: "SearchResults" });
