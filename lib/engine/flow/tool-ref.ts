import * as z from "zod";
import { isUuid } from "../../platform/http/ids.ts";
import { withKnownNames } from "../../platform/http/nearest-name.ts";
import { isTemplate } from "../../values/expression/template-text.ts";
import { buildPointer } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import { StepError } from "../step-error.ts";
import type {
  Tool,
  ToolContext,
  ToolDescriptor,
  ToolName,
  ToolParameters,
  ToolRegistry,
} from "../tools/tool.ts";
import type { StepContext } from "./step-context.ts";
import type { FlowProblem } from "./step-type.ts";

/** A reference to a tool in a flow. */
export const toolRef = {
  integrationId: z.string().min(1),
  toolId: z.string().min(1).max(256),
  configId: z.string().nullish(),
};

/** Members of a tool reference. */
export type ToolRef = z.output<z.ZodObject<typeof toolRef>>;

/** Finds the problems of a tool reference that do not depend on its config. */
export const checkToolRef = (ref: ToolRef, tools: ToolRegistry): FlowProblem[] => {
  const { integrationId, toolId, configId } = ref;
  const pointer = buildPointer("configId");
  const isNamed = configId !== null && configId !== undefined;
  if (tools.configured?.includes(integrationId)) {
    if (!isNamed) return [{ pointer, detail: `"${integrationId}" needs the id of a config.` }];
    return isUuid(configId) ? [] : [{ pointer, detail: "must be the id of a config, a uuid" }];
  }
  const problems = tools.resolve(integrationId, toolId)
    ? []
    : [unknownTool({ integrationId, toolId }, tools)];
  if (!isNamed || !tools.list().has(integrationId)) return problems;
  return [...problems, { pointer, detail: `"${integrationId}" does not accept a config.` }];
};

/** Loads a tool. Throws a StepError when it does not exist; see `ToolRegistry.load` for tools of a config. */
export const loadTool = async (
  name: ToolName,
  { tools, signal, processor }: Pick<StepContext, "tools" | "signal" | "processor">,
): Promise<Tool> => {
  const tool = tools.resolve(name.integrationId, name.toolId);
  if (tool) return tool;
  if (tools.load && tools.configured?.includes(name.integrationId)) {
    return tools.load(name, { signal, processor });
  }
  throw new StepError("execution-failed", unknownTool(name, tools).detail);
};

/** Describes why a reference resolves to no tool. */
const unknownTool = ({ integrationId, toolId }: ToolName, tools: ToolRegistry): FlowProblem => {
  const own = tools.list().get(integrationId);
  if (own) {
    const known = own.map(({ descriptor }) => descriptor.id);
    const detail = withKnownNames(`"${integrationId}" has no tool "${toolId}"`, toolId, known);
    return { pointer: buildPointer("toolId"), detail };
  }
  const known = [...tools.list().keys(), ...(tools.configured ?? [])];
  const detail = `There is no integration "${integrationId.slice(0, 128)}" with tools`;
  return {
    pointer: buildPointer("integrationId"),
    detail: withKnownNames(detail, integrationId, known),
  };
};

/** Returns the context of a tool's call that has the span `spanId`. */
export const toToolContext = ({
  clock,
  signal,
  processor,
  spanId,
  traceContextBelow,
  files,
}: Pick<
  StepContext,
  "clock" | "signal" | "processor" | "spanId" | "traceContextBelow" | "files"
>): ToolContext => ({
  clock,
  signal,
  processor,
  traceContext: traceContextBelow?.(spanId),
  ...(files && { saveFile: (file) => files.save({ ...file }) }),
});

/** Finds unknown and missing parameters of a tool. */
export const checkToolParameters = (
  descriptor: ToolDescriptor,
  parameters: ToolParameters,
): FlowProblem[] => {
  const known = new Map(descriptor.parametersMetadata.map((metadata) => [metadata.name, metadata]));
  const problems: FlowProblem[] = [];
  for (const name of Object.keys(parameters)) {
    if (known.has(name)) continue;
    const detail = `${descriptor.id} has no parameter "${name}"`;
    problems.push({
      pointer: buildPointer("parameters", name),
      detail: withKnownNames(detail, name, [...known.keys()]),
    });
  }
  for (const [name, value] of Object.entries(parameters)) {
    const metadata = known.get(name);
    const outside = metadata && !isTemplate(value) ? findOutside(metadata, value) : undefined;
    if (outside === undefined) continue;
    const detail = `The parameter "${name}" of ${descriptor.id} ${outside}.`;
    problems.push({ pointer: buildPointer("parameters", name), detail });
  }
  for (const { name, required } of known.values()) {
    if (!required || Object.hasOwn(parameters, name)) continue;
    const detail = `${descriptor.id} needs the parameter "${name}".`;
    problems.push({ pointer: buildPointer("parameters", name), detail });
  }
  return problems;
};

/** Returns how a number in a string is outside the range that its parameter declares. */
const findOutside = (
  { type, integerRange, floatRange }: ParameterDescriptor,
  value: string,
): string | undefined => {
  const range = type === "Integer" ? integerRange : type === "Float" ? floatRange : null;
  const number = value.trim() === "" ? Number.NaN : Number(value);
  if (range === null || Number.isNaN(number)) return undefined;
  if (range.max !== null && number > range.max) return `must be at most ${range.max}`;
  return range.min !== null && number < range.min ? `must be at least ${range.min}` : undefined;
};
