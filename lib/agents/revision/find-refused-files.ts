import { findMediaKind, takesMediaType } from "../../engine/models/file-kinds.ts";
import type { ProviderType } from "../../engine/models/provider-settings.ts";
import type { ValidationIssue } from "../../platform/http/problems.ts";
import { readPlainTemplate } from "../../values/expression/plain-template.ts";
import { isTemplate } from "../../values/expression/template-text.ts";
import { buildPointer, isRecord } from "../../values/json/json.ts";

/** A provider as this check needs it. */
type KnownProvider = {
  readonly type: ProviderType | "echo";
  readonly baseUrl: string | null;
  readonly defaultModel: string | null;
};

/** Content of a revision with Prompts that send inputs to models. */
type FileContent = {
  readonly flow: unknown;
  readonly llmConfigs: readonly unknown[];
  readonly parametersMetadata: readonly {
    readonly name: string;
    readonly type: string;
    readonly accept?: readonly string[] | null | undefined;
  }[];
};

/** A model that is called without an expression in its name. */
type Receiver = { readonly provider: Pick<KnownProvider, "baseUrl"> & { type: ProviderType } } & {
  readonly model: string;
};

/**
 * Finds inputs of the type File that a Prompt sends to a model, and that accept a type that this model is known not to take.
 * Fallbacks are not checked: those that do not take a file are not called.
 */
export const findRefusedFiles = (
  { flow, llmConfigs, parametersMetadata }: FileContent,
  findProvider: (id: string) => KnownProvider | undefined,
): ValidationIssue[] => {
  const accepted = new Map(
    parametersMetadata
      .filter(({ type }) => type === "File")
      .map(({ name, accept }) => [name, accept ?? []]),
  );
  if (accepted.size === 0) return [];
  const steps = isRecord(flow) ? readList(flow.steps) : [];
  return steps
    .flatMap((step, at) => listPrompts(buildPointer("flow", "steps", at), step))
    .flatMap(({ pointer, prompt }) => {
      const receiver = findReceiver(prompt.llm ?? llmConfigs[0], findProvider);
      if (!receiver) return [];
      return readTexts(prompt.files).flatMap((text, at) => {
        const name = readInputName(text);
        const types = name === undefined ? [] : (accepted.get(name) ?? []);
        const refused = types.filter((type) => isRefused(receiver, type));
        if (refused.length === 0) return [];
        const detail = `the input "${name}" accepts ${refused.join(", ")}, which the model ${receiver.model} does not take`;
        return [{ pointer: pointer + buildPointer("files", at), detail }];
      });
    });
};

type Prompt = { readonly [member: string]: unknown };

/** Lists the Prompts of a step: itself, or the one inside a ForEach. */
const listPrompts = (pointer: string, step: unknown): { pointer: string; prompt: Prompt }[] => {
  if (!isRecord(step)) return [];
  if (step.type === "Prompt") return [{ pointer, prompt: step }];
  return "step" in step ? listPrompts(`${pointer}/step`, step.step) : [];
};

const findReceiver = (
  llm: unknown,
  findProvider: (id: string) => KnownProvider | undefined,
): Receiver | undefined => {
  if (!isRecord(llm) || typeof llm.providerId !== "string") return undefined;
  const provider = findProvider(llm.providerId);
  if (!provider || provider.type === "echo") return undefined;
  const { type, baseUrl, defaultModel } = provider;
  const named = isRecord(llm.parameters) ? llm.parameters.model : undefined;
  const model = typeof named === "string" && named !== "" ? named : defaultModel;
  if (model === null || isTemplate(model)) return undefined;
  return { provider: { type, baseUrl }, model };
};

/** Text takes the place of a PDF, and of documents. */
const isRefused = ({ provider, model }: Receiver, mediaType: string): boolean => {
  const kind = findMediaKind(mediaType);
  if (kind === undefined || kind === "pdf") return false;
  return takesMediaType(provider, model, mediaType) === "no";
};

/** Returns the name of the input that an expression selects; undefined for any other expression. */
const readInputName = (text: string): string | undefined => {
  const [part, ...others] = readPlainTemplate(text) ?? [];
  if (typeof part !== "object" || others.length > 0) return undefined;
  const [scope, name, ...rest] = part.path;
  return (scope === "input" || scope === "parameters") && rest.length === 0 ? name : undefined;
};

const readList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const readTexts = (value: unknown): readonly string[] =>
  readList(value).filter((item) => typeof item === "string");
