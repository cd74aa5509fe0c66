import * as z from "zod";
import { buildPointer, formatValue } from "../../../values/json/json.ts";
import { readSchemaValue } from "../../../values/json/json-schema.ts";
import { echoProvider } from "../../models/echo-id.ts";
import { checkAssetIds } from "../check-asset-ids.ts";
import { awaitConsents } from "../consent.ts";
import { askModel, type Task } from "../prompt/ask-model.ts";
import { chooseLlm, Llm, resolveChain } from "../prompt/choose-model.ts";
import { offerKnowledge } from "../prompt/offer-knowledge.ts";
import { offerTools } from "../prompt/offer-tools.ts";
import {
  checkPromptFiles,
  evaluateFiles,
  maxPromptFiles,
  withNewestFiles,
} from "../prompt/prompt-files.ts";
import { checkPromptMemory, PromptMemory, recallMemory } from "../prompt/prompt-memory.ts";
import { PromptState } from "../prompt/prompt-state.ts";
import { checkPromptTool, findTool, PromptTool } from "../prompt/prompt-tool.ts";
import { recallSession } from "../prompt/recall-session.ts";
import { type PromptSkills, readSkills, systemText } from "../prompt/skills.ts";
import { skillsAsCallable } from "../prompt/skills-as-callable.ts";
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
    files: z.array(z.string().min(1)).max(maxPromptFiles).nullish().meta({
      description:
        "Expressions that select files for the model, such as {% input.photo %}: an input of the type File, the file of a tool, or an array of files. At most 20 files and 20 MB in all.",
    }),
    outputSchema: z.record(z.string(), z.json()).nullish(),
    tools: z.array(PromptTool).max(100).nullish(),
    assets: z.array(z.string().min(1)).min(1).max(200).nullish(),
    skills: z.array(z.string().min(1)).max(20).nullish(),
    memory: PromptMemory.nullish(),
    maxTurns: z.int().min(1).max(50).nullish(),
  },
  waits: true,
  callsOut: ({ llm, tools, assets, skills, memory }, defaultProvider) =>
    (llm?.providerId ?? defaultProvider) !== echoProvider ||
    Boolean(memory) ||
    [...(tools ?? []), ...(assets ?? []), ...(skills ?? [])].length > 0,
  templated: ({ tools, memory }) => [
    ...(memory ? [{ pointer: buildPointer("memory", "namespace"), value: memory.namespace }] : []),
    "llm",
    "system",
    "prompt",
    "files",
    ...(tools ?? []).flatMap((tool, at) =>
      typeof tool === "string"
        ? []
        : [
            { pointer: buildPointer("tools", at, "approval"), value: tool.approval },
            { pointer: buildPointer("tools", at, "approvers"), value: tool.approvers },
          ],
    ),
  ],
  agents: ({ tools }, { subAgents }) =>
    subAgents.flatMap(({ id, agentId }) => {
      const at = (tools ?? []).findIndex((tool) => {
        const found = findTool(tool, subAgents);
        return "subAgent" in found && found.subAgent.id === id;
      });
      return at < 0 ? [] : [{ agentId, pointer: buildPointer("tools", at) }];
    }),
  schemas: ({ outputSchema }) =>
    outputSchema ? [{ pointer: buildPointer("outputSchema"), schema: outputSchema }] : [],
  check({ tools, outputSchema, assets, memory, files }, surroundings) {
    const schema = readSchemaValue(outputSchema ?? true);
    return [
      ...(schema.ok ? [] : [{ pointer: buildPointer("outputSchema"), detail: schema.detail }]),
      ...checkAssetIds(assets ?? [], surroundings.assets),
      ...checkPromptMemory(memory),
      ...checkPromptFiles(files ?? []),
      ...(tools ?? []).flatMap((tool, at) =>
        below(buildPointer("tools", at), checkPromptTool(tool, surroundings)),
      ),
    ];
  },
  async run(step, context, { subAgents, assets }) {
    // A Prompt that waited for the consent to list a tool has not begun.
    const resumed =
      context.suspended === undefined || context.suspended === null
        ? undefined
        : PromptState.parse(context.suspended);
    const named = await readSkills(step.skills ?? [], context);
    const { skills, areLoaded } = named;
    const { chain, system, open } = resumed
      ? await resume(resumed, context)
      : await begin(step, named, context);
    const { offered, cited } = offerKnowledge(
      { ids: step.assets ?? [], assets, skills },
      context,
      resumed?.citations ?? [],
    );
    const own = [...(areLoaded && skills.length > 0 ? [skillsAsCallable(skills)] : []), ...offered];
    const all = { refs: step.tools ?? [], subAgents, skills, own };
    const { tools, required } = await offerTools(all, context, resumed?.names);
    // One that is resumed waits after the calls of its turn, which may wait for other answers.
    if (!resumed) await awaitConsents(context, { required, state: () => null });
    return askModel(
      {
        chain,
        system,
        ...(await open(tools.size > 0)),
        resumed,
        cited,
        outputSchema: step.outputSchema ?? undefined,
        tools,
        required,
        maxTurns: step.maxTurns ?? defaultMaxTurns,
      },
      context,
    );
  },
});

type Texts = {
  readonly llm?: z.output<typeof Llm> | null | undefined;
  readonly system?: string | null | undefined;
  readonly prompt: string;
  readonly files?: readonly string[] | null | undefined;
  readonly memory?: PromptMemory | null | undefined;
};

/** A Prompt before it knows its tools. */
type Begun = Pick<Task, "chain" | "system"> & {
  /** Returns its messages so far. */
  readonly open: (hasTools: boolean) => Promise<Pick<Task, "messages" | "recalled" | "earlier">>;
};

const resume = async (resumed: PromptState, context: StepContext): Promise<Begun> => ({
  chain: await resolveChain(resumed.llm, context),
  system: resumed.system ?? undefined,
  open: async () => resumed,
});

const instructionsIntroduction =
  "Instructions of the caller. Where they contradict the text above, the text above holds.";

/** Adds the instructions of the caller to a system text. */
const addInstructions = (
  system: string | undefined,
  instructions: string | undefined,
): string | undefined => {
  if (instructions === undefined || system === undefined) return instructions ?? system;
  return [system, `# ${instructionsIntroduction}`, instructions].join("\n\n");
};

/** Evaluates the members of a Prompt, which its span shows. */
const begin = async (step: Texts, skills: PromptSkills, context: StepContext): Promise<Begun> => {
  const chain = await resolveChain(await chooseLlm(step.llm, context), context);
  const text = step.system ? formatValue(await context.evaluate(step.system)) : undefined;
  const prompt = formatValue(await context.evaluate(step.prompt));
  const files = await evaluateFiles(step.files ?? [], context);
  const own = files.length > 0 && { files: [...files] };
  const system = addInstructions(systemText(text, skills), context.session?.instructions);
  context.note({
    input: { ...(system === undefined ? {} : { system }), prompt, ...own },
    providerId: chain.first.providerId,
    modelId: chain.first.model,
  });
  return {
    chain,
    system,
    open: async (hasTools) => {
      const earlier = withNewestFiles(await recallSession(chain, hasTools, context), files);
      // Memories come after the session: a provider caches what precedes them.
      const recalled = [...earlier, ...(await recallMemory(step.memory, prompt, context))];
      const messages = [...recalled, { role: "user" as const, text: prompt, ...own }];
      return { messages, recalled: recalled.length, earlier: earlier.length };
    },
  };
};
