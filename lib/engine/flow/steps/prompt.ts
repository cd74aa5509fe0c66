import * as z from "zod";
import { pointerOf, textOf } from "../../../json/json.ts";
import { readSchemaValue } from "../../../json/json-schema.ts";
import { askModel } from "../prompt/ask-model.ts";
import { chooseModel, Llm } from "../prompt/choose-model.ts";
import { offerTools } from "../prompt/offer-tools.ts";
import { checkPromptTool, PromptTool } from "../prompt/prompt-tool.ts";
import { loadSkills, systemText } from "../prompt/skills.ts";
import { below, defineStep } from "../step-type.ts";

const defaultMaxTurns = 8;

/** Asks a language model, which may call tools; outputs the model's answer. */
export const promptStep = defineStep({
  type: "Prompt",
  shape: {
    llm: Llm.nullish(),
    system: z.string().nullish(),
    prompt: z.string().min(1),
    outputSchema: z.record(z.string(), z.json()).nullish(),
    tools: z.array(PromptTool).max(100).nullish(),
    skills: z.array(z.string().min(1)).max(20).nullish(),
    maxTurns: z.int().min(1).max(50).nullish(),
  },
  waits: true,
  templated: () => ["llm", "system", "prompt"],
  agents: ({ tools }, { subAgents }) =>
    subAgents.flatMap(({ id, agentId }) => {
      const at = tools?.indexOf(id) ?? -1;
      return at < 0 ? [] : [{ agentId, pointer: pointerOf("tools", at) }];
    }),
  schemas: ({ outputSchema }) =>
    outputSchema ? [{ pointer: pointerOf("outputSchema"), schema: outputSchema }] : [],
  check({ tools, outputSchema }, surroundings) {
    const schema = readSchemaValue(outputSchema ?? true);
    return [
      ...(schema.ok ? [] : [{ pointer: pointerOf("outputSchema"), detail: schema.detail }]),
      ...(tools ?? []).flatMap((tool, at) =>
        below(pointerOf("tools", at), checkPromptTool(tool, surroundings)),
      ),
    ];
  },
  async run(step, context, { subAgents }) {
    const model = await chooseModel(step.llm, context);
    const system = step.system ? textOf(await context.evaluate(step.system)) : undefined;
    const prompt = textOf(await context.evaluate(step.prompt));
    const skills = await loadSkills(step.skills ?? [], context);
    const instructions = systemText(system, skills);
    context.note({
      input: { ...(instructions === undefined ? {} : { system: instructions }), prompt },
      providerId: model.providerId,
      modelId: model.model,
    });
    const output = await askModel(
      {
        model,
        system: instructions,
        prompt,
        outputSchema: step.outputSchema ?? undefined,
        tools: await offerTools({ refs: step.tools ?? [], subAgents, skills }, context),
        maxTurns: step.maxTurns ?? defaultMaxTurns,
      },
      context,
    );
    return { output };
  },
});
