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

/** The span of a Prompt's memory to which facts of its turn are added. */
const MemorySpan = z.object({
  type: z.literal("Memory"),
  parentId: z.string(),
  startTime: z.int(),
  input: z.object({ namespace: z.string().min(1), write: z.literal(true) }),
});

const PromptSpan = z.object({
  id: z.string(),
  type: z.literal("Prompt"),
  status: z.literal("Succeeded"),
  stepId: z.string(),
  // A long input has only its beginning in a trace.
  input: z.union([
    z.object({ prompt: z.string() }).transform(({ prompt }) => prompt),
    z
      .object({ cut: z.literal(true), beginning: z.string().min(1) })
      .transform((cut) => cut.beginning),
  ]),
  output: z.json(),
  providerId: z.string(),
  modelId: z.string(),
  servedBy: z.object({ providerId: z.string(), modelId: z.string() }).optional(),
});

/** The turn of a finished Prompt with a memory. Secrets are masked. */
export type RememberedTurn = {
  /** Id of the Prompt's span. */
  readonly spanId: string;
  readonly stepId: string;
  readonly namespace: string;
  /** When it began, Unix milliseconds. */
  readonly startTime: number;
  readonly prompt: string;
  readonly response: z.output<typeof PromptSpan>["output"];
  readonly providerId: string;
  readonly modelId: string;
};

/** Turns of an execution that are remembered; a ForEach may have more. */
const maxTurns = 20;

/** Finds the turns to remember in a trace, which has spans as `TraceSpan`: at most the first 20. */
export const findRememberedTurns = (trace: readonly unknown[]): RememberedTurn[] => {
  const memories = trace.flatMap((span) => MemorySpan.safeParse(span).data ?? []);
  if (memories.length === 0) return [];
  const prompts = new Map(
    trace.flatMap((span) => {
      const { data } = PromptSpan.safeParse(span);
      return data ? [[data.id, data] as const] : [];
    }),
  );
  const turns = memories.flatMap(({ parentId, startTime, input: { namespace } }) => {
    const finished = prompts.get(parentId);
    if (!finished) return [];
    const { id: spanId, stepId, input: prompt, output: response } = finished;
    const { providerId, modelId } = finished.servedBy ?? finished;
    return [{ spanId, stepId, namespace, startTime, prompt, response, providerId, modelId }];
  });
  return turns.slice(0, maxTurns);
};
