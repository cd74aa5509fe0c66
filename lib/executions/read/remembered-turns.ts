import * as z from "zod";

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
