import * as z from "zod";
import { maxCitations } from "../../engine/flow/knowledge.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { isRecord } from "../../values/json/json.ts";
import { type Citation, SpanCitation } from "../schemas.ts";

const CitingSpan = z.object({
  stepId: z.string(),
  status: z.string(),
  citations: z.array(SpanCitation),
});

/**
 * Reads the citations of an execution from its trace: the first `maxCitations` passages that its steps found, without
 * duplicates. Failed attempts have none.
 */
export const collectCitations = (trace: readonly unknown[]): Citation[] => {
  const found = new Map<string, Citation>();
  for (const span of trace) {
    if (!isRecord(span) || !("citations" in span)) continue;
    const { stepId, status, citations } = CitingSpan.parse(span);
    if (status !== "Succeeded") continue;
    for (const citation of citations) {
      if (found.size >= maxCitations) return [...found.values()];
      const { assetId, documentId, text } = citation;
      const key = JSON.stringify([assetId, documentId, text]);
      if (!found.has(key)) found.set(key, { stepId, ...citation });
    }
  }
  return [...found.values()];
};

/** Returns the first citations for which a response with these values has room. */
export const fitCitations = (
  citations: readonly Citation[],
  values: readonly unknown[],
): Citation[] => {
  if (citations.length === 0) return [];
  let left =
    maxResponseBytes - values.reduce<number>((sum, value) => sum + responseBytes(value), 0);
  const isOver = citations.findIndex((citation) => {
    left -= responseBytes(citation);
    return left < 0;
  });
  return citations.slice(0, isOver === -1 ? citations.length : isOver);
};
