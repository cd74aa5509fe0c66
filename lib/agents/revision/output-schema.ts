import * as z from "zod";
import { isJsonObject, type JsonObject } from "../../values/json/json.ts";
import type { LoadedRevision } from "./load-revision.ts";

const Step = z.looseObject({
  id: z.string(),
  type: z.string(),
  value: z.unknown().optional(),
  outputSchema: z.json().optional(),
  onError: z.unknown().optional(),
  actions: z.array(z.looseObject({ target: z.unknown().optional() })).optional(),
});
type Step = z.output<typeof Step>;

const reference = /^\{%\s*steps\.([\w-]+)\.output\s*%\}$/;

/**
 * Returns the JSON Schema that every output of a revision matches: that of its last step, a Prompt, or of the Prompt that its
 * last step, an Output, names. Undefined for a flow that may end elsewhere, choose between steps, or replace the output of a
 * step that failed.
 */
export const findOutputSchema = ({
  content,
  flow: { graph },
}: Pick<LoadedRevision, "content" | "flow">): JsonObject | undefined => {
  const steps = content.flow.steps.flatMap((step) => Step.safeParse(step).data ?? []);
  if (graph.onError.some((edges) => edges.length > 0) || steps.some(choosesSteps)) return undefined;
  const [last, ...others] = steps.filter((_, place) => !graph.next[place]?.length);
  if (!last || others.length > 0) return undefined;
  const id = last.type === "Output" ? reference.exec(String(last.value))?.[1] : last.id;
  const answer = steps.find((step) => step.id === id);
  if (answer?.type !== "Prompt" || (answer.onError ?? undefined) !== undefined) return undefined;
  const { outputSchema } = answer;
  return outputSchema !== undefined && isJsonObject(outputSchema) ? outputSchema : undefined;
};

const choosesSteps = ({ type, actions = [] }: Step): boolean =>
  type === "Condition" || actions.some(({ target }) => (target ?? undefined) !== undefined);
