import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { LoadedRevision } from "../agents/revision/load-revision.ts";
import { isRecord } from "../values/json/json.ts";

const Step = z.looseObject({
  id: z.string(),
  type: z.string(),
  value: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
});

/** Prompts that give a flow its output, by id, with their JSON Schemas. */
export type AnswerSteps = ReadonlyMap<string, { readonly outputSchema: unknown }>;

const reference = /^\{%\s*steps\.([\w-]+)\.output\s*%\}$/;

/** Finds the Prompts that give a flow its output: the last steps, or those that an Output names. */
export const findAnswerSteps = ({
  content,
  flow: { graph },
}: Pick<LoadedRevision, "content" | "flow">): AnswerSteps => {
  const steps = content.flow.steps.flatMap((step) => Step.safeParse(step).data ?? []);
  const isLast = (place: number) => !(graph.next[place]?.length || graph.onError[place]?.length);
  const outputs = steps.filter(({ type }) => type === "Output");
  const named = outputs.map(({ value }) => reference.exec(String(value))?.[1]);
  const prompts = steps.filter(({ id, type }, place) => {
    if (type !== "Prompt") return false;
    return outputs.length > 0 ? named.includes(id) : isLast(place);
  });
  return new Map(prompts.map(({ id, outputSchema }) => [id, { outputSchema }]));
};

/** Returns whether a JSON Schema is that of an agent's output. */
export const isOwnSchema = (answers: AnswerSteps, schema: unknown): boolean =>
  isRecord(schema) &&
  [...answers.values()].some(({ outputSchema }) => isDeepStrictEqual(outputSchema, schema));

/** Returns whether the output of an agent is JSON. */
export const hasJsonOutput = (answers: AnswerSteps): boolean =>
  answers.size > 0 && [...answers.values()].every(({ outputSchema }) => isRecord(outputSchema));
