import * as z from "zod";
import { buildPointer, formatValue } from "../../../values/json/json.ts";
import { readSchemaValue } from "../../../values/json/json-schema.ts";
import { echoProvider } from "../../models/echo-id.ts";
import { checkAssetIds } from "../check-asset-ids.ts";
import { type FlowAsset, type Passage, toCitations } from "../knowledge.ts";
import { askModel } from "../prompt/ask-model.ts";
import type { Callable } from "../prompt/callable.ts";
import { chooseModel, Llm } from "../prompt/choose-model.ts";
import { knowledgeAsCallable } from "../prompt/knowledge-as-callable.ts";
import { offerTools } from "../prompt/offer-tools.ts";
import { checkPromptTool, PromptTool } from "../prompt/prompt-tool.ts";
import { loadSkills, systemText } from "../prompt/skills.ts";
import type { StepContext } from "../step-context.ts";
import { below, defineStep } from "../step-type.ts";

const defaultMaxTurns = 8;

/** Calls a language model, which may call tools; outputs the model's response. */
export const promptStep = defineStep({
  type: "Prompt",
  shape: {
    llm: Llm.nullish(),
    system: z.string().nullish(),
    prompt: z.string().min(1),
    outputSchema: z.record(z.string(), z.json()).nullish(),
    tools: z.array(PromptTool).max(100).nullish(),
    assets: z.array(z.string().min(1)).min(1).max(200).nullish(),
    skills: z.array(z.string().min(1)).max(20).nullish(),
    maxTurns: z.int().min(1).max(50).nullish(),
  },
  waits: true,
  callsOut: ({ llm, tools, assets }, defaultProvider) =>
    (llm?.providerId ?? defaultProvider) !== echoProvider ||
    [...(tools ?? []), ...(assets ?? [])].length > 0,
  templated: () => ["llm", "system", "prompt"],
  agents: ({ tools }, { subAgents }) =>
    subAgents.flatMap(({ id, agentId }) => {
      const at = tools?.indexOf(id) ?? -1;
      return at < 0 ? [] : [{ agentId, pointer: buildPointer("tools", at) }];
    }),
  schemas: ({ outputSchema }) =>
    outputSchema ? [{ pointer: buildPointer("outputSchema"), schema: outputSchema }] : [],
  check({ tools, outputSchema, assets }, surroundings) {
    const schema = readSchemaValue(outputSchema ?? true);
    return [
      ...(schema.ok ? [] : [{ pointer: buildPointer("outputSchema"), detail: schema.detail }]),
      ...checkAssetIds(assets ?? [], surroundings.assets),
      ...(tools ?? []).flatMap((tool, at) =>
        below(buildPointer("tools", at), checkPromptTool(tool, surroundings)),
      ),
    ];
  },
  async run(step, context, { subAgents, assets }) {
    const model = await chooseModel(step.llm, context);
    const system = step.system ? formatValue(await context.evaluate(step.system)) : undefined;
    const prompt = formatValue(await context.evaluate(step.prompt));
    const skills = await loadSkills(step.skills ?? [], context);
    const instructions = systemText(system, skills);
    context.note({
      input: { ...(instructions === undefined ? {} : { system: instructions }), prompt },
      providerId: model.providerId,
      modelId: model.model,
    });
    const own = offerKnowledge(step.assets ?? [], assets, context);
    const output = await askModel(
      {
        model,
        system: instructions,
        prompt,
        outputSchema: step.outputSchema ?? undefined,
        tools: await offerTools({ refs: step.tools ?? [], subAgents, skills, own }, context),
        maxTurns: step.maxTurns ?? defaultMaxTurns,
      },
      context,
    );
    return { output };
  },
});

/** Returns the tool that searches a Prompt's assets, if it has any; the step's span keeps what it finds. */
const offerKnowledge = (
  ids: readonly string[],
  assets: readonly FlowAsset[],
  context: StepContext,
): readonly Callable[] => {
  const named = assets.filter(({ id }) => ids.includes(id));
  if (named.length === 0) return [];
  let found: readonly Passage[] = [];
  return [
    knowledgeAsCallable(named, context, (more) => {
      found = toCitations([...found, ...more]);
      context.note({ citations: found });
    }),
  ];
};
