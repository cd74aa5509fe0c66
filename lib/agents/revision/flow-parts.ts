import * as z from "zod";
import { PromptTool } from "../../engine/flow/prompt/prompt-tool.ts";
import { toolRef } from "../../engine/flow/tool-ref.ts";
import { Uuid } from "../../platform/http/ids.ts";
import { buildPointer, isRecord } from "../../values/json/json.ts";
import type { RevisionContent } from "./content.ts";

/** A step of a flow, or the step inside a ForEach, with its pointer in the revision. */
type PlacedStep = { readonly pointer: string; readonly step: { readonly [name: string]: unknown } };

/** A reference of a flow to a tool; `parameters` are those of a Tool step. */
export type PlacedTool = z.output<typeof ToolRef> & {
  readonly pointer: string;
  readonly parameters: Readonly<Record<string, string>> | undefined;
};

const ToolRef = z.object(toolRef);
const Ids = z.array(z.string()).catch([]);
const Parameters = z.record(z.string(), z.string()).catch({});

/** Lists the steps of a flow, including those inside a ForEach. */
const stepsIn = ({ flow }: Pick<RevisionContent, "flow">): PlacedStep[] =>
  flow.steps.flatMap((step, at) => withInner(buildPointer("flow", "steps", at), step));

const withInner = (pointer: string, step: unknown): PlacedStep[] =>
  isRecord(step)
    ? [{ pointer, step }, ...("step" in step ? withInner(`${pointer}/step`, step.step) : [])]
    : [];

/** An id in a flow, with its pointer in the revision. */
export type PlacedId = { readonly pointer: string; readonly id: string };

/** Lists the assets that steps name. */
export const assetsInFlow = (content: Pick<RevisionContent, "flow">): PlacedId[] =>
  stepsIn(content).flatMap(({ pointer, step }) => idsIn(pointer, { step, name: "assets" }));

/** Lists the pointers of Retrieve steps that search all assets of the revision. */
export const listAllSearches = (content: Pick<RevisionContent, "flow">): string[] =>
  stepsIn(content).flatMap(({ pointer, step }) =>
    step.type === "Retrieve" && (step.assets ?? null) === null ? [`${pointer}/assets`] : [],
  );

/** Lists the skills that Prompts name. */
export const skillsInFlow = (content: Pick<RevisionContent, "flow">): PlacedId[] =>
  stepsIn(content).flatMap(({ pointer, step }) =>
    step.type === "Prompt" ? idsIn(pointer, { step, name: "skills" }) : [],
  );

/** Lists the webhooks that steps wait for. */
export const webhooksInFlow = (content: Pick<RevisionContent, "flow">): PlacedId[] =>
  stepsIn(content).flatMap(({ pointer, step: { type, event } }) => {
    const id =
      type === "Wait" && isRecord(event) ? Uuid.safeParse(event.webhookId).data : undefined;
    return id === undefined ? [] : [{ pointer: `${pointer}/event/webhookId`, id }];
  });

const idsIn = (pointer: string, { step, name }: { step: PlacedStep["step"]; name: string }) =>
  Ids.parse(step[name]).map((id, at) => ({ pointer: pointer + buildPointer(name, at), id }));

/** Lists the tools that steps name by integration. */
export const toolsInFlow = (content: Pick<RevisionContent, "flow">): PlacedTool[] =>
  stepsIn(content).flatMap(({ pointer, step }) => {
    if (step.type === "Tool") {
      const parameters = Parameters.parse(step.parameters ?? {});
      return refsIn(pointer, step).map((ref) => ({ ...ref, parameters }));
    }
    if (step.type !== "Prompt") return [];
    const tools = z.array(PromptTool).catch([]).parse(step.tools);
    return tools.flatMap((tool, at) => refsIn(pointer + buildPointer("tools", at), tool));
  });

const refsIn = (pointer: string, ref: unknown): PlacedTool[] => {
  const { data } = ToolRef.safeParse(ref);
  return data ? [{ ...data, pointer, parameters: undefined }] : [];
};
