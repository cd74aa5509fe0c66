import * as z from "zod";
import { StepError } from "../step-error.ts";
import type { FoundKnowledge, KnowledgeQuery } from "./knowledge.ts";
import { showEmbeddings } from "./show-embeddings.ts";
import type { StepContext } from "./step-context.ts";

/** Searches assets within a step; an embedding of the query has its own span. */
export const searchKnowledge = async (
  query: Omit<KnowledgeQuery, "signal">,
  context: Pick<StepContext, "knowledge" | "signal" | "openSpan" | "guard">,
): Promise<Pick<FoundKnowledge, "passages" | "unavailable">> => {
  const { knowledge, signal } = context;
  if (!knowledge) throw new StepError("execution-failed", "There are no assets to search here.");
  const { embeddings, ...found } = await knowledge.search({ ...query, signal });
  showEmbeddings(embeddings, query.query, context);
  const { passages } = found;
  if (passages.length === 0) return found;
  const texts = passages.map(({ text, documentName }) => ({ text, documentName }));
  const checked = Texts.parse(await context.guard("retrieval", texts));
  return { ...found, passages: passages.map((passage, at) => ({ ...passage, ...checked[at] })) };
};

const Texts = z.array(z.object({ text: z.string(), documentName: z.string() }));
