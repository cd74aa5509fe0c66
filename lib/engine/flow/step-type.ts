import * as z from "zod";
import { findUnknownMembers } from "../../platform/http/unknown-members.ts";
import { zodErrorMap } from "../../platform/http/zod-error-map.ts";
import { close, holdsTemplate, open } from "../../values/expression/template-text.ts";
import { buildPointer, type Json } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import type { ModelMessage } from "../models/model.ts";
import { repeatableSlugs } from "../step-error.ts";
import type { ToolRegistry } from "../tools/tool.ts";
import type { FlowAsset } from "./knowledge.ts";
import type { StepContext } from "./step-context.ts";

export type { LlmChoice, StepContext } from "./step-context.ts";

/** An error in a flow; the pointer is relative to the flow. */
export type FlowProblem = { readonly pointer: string; readonly detail: string };

/** A reference to an agent; the pointer is relative to the flow. */
export type AgentUse = { readonly pointer: string; readonly agentId: string };

/** Members of every step. */
export const stepBase = {
  id: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
      "must start with a letter or digit, followed by at most 63 letters, digits, _ and -",
    ),
  name: z.string().max(200).nullish(),
  retry: z
    .object({
      maxAttempts: z.int().min(1).max(5),
      backoffSeconds: z.number().min(0).max(60).default(1),
      on: z.array(z.enum(repeatableSlugs)).min(1).default(["upstream-failed", "upstream-timeout"]),
    })
    .nullish(),
  timeoutSeconds: z.int().min(1).max(900).nullish(),
  onError: z
    .object({ value: z.unknown().meta({ description: "Any JSON, with expressions." }) })
    .nullish()
    .meta({ description: "The output of the step if it fails after its retries." }),
};

/** Parsed members of every step. */
export type StepBase = z.output<z.ZodObject<typeof stepBase>>;

/** The failure of a step that its flow handles, as `steps.X.error`. */
export type StepFailure = {
  readonly slug: string;
  readonly detail: string;
  readonly upstream: string | null;
  readonly upstreamStatus: number | null;
};

/** The output of a step. */
export type StepResult = {
  readonly output: Json;
  /** Whether its expression selected nothing: `output` is null, and other expressions see no output. */
  readonly isNothing?: true;
  /** Why it failed, where `onError` gave the output. */
  readonly error?: StepFailure;
  /** The step that it chose of its targets; absent where its output names it. Null for none. */
  readonly chosen?: string | null;
  /** The messages that a Prompt and its model exchanged: the prompt, the model's messages and the results of its tool calls. */
  readonly exchange?: readonly ModelMessage[];
};

/** Builds the result of a step from the value that its expression selected. */
export const toStepResult = (selected: Json | undefined): StepResult =>
  selected === undefined ? { output: null, isNothing: true } : { output: selected };

/** A sub-agent that a revision offers to its Prompts. */
export type FlowSubAgent = {
  readonly id: string;
  readonly agentId: string;
  readonly displayName: string | null;
  readonly description: string | null;
  /** When empty, the agent's own parameters apply. */
  readonly parametersMetadata: readonly ParameterDescriptor[];
};

/** Tools, sub-agents and assets that a flow may use. */
export type FlowSurroundings = {
  readonly tools: ToolRegistry;
  readonly subAgents: readonly FlowSubAgent[];
  readonly assets: readonly FlowAsset[];
};

/** Dependencies of planning a step. */
export type Planning = FlowSurroundings & {
  /** Plans an inner step; pointers are relative to it. */
  planInner(raw: unknown): StepPlan | readonly FlowProblem[];
};

/** A checked step, ready to run. */
export type StepPlan = {
  readonly base: StepBase;
  readonly type: string;
  /** Whether the step waits for other systems, so that its time limit needs a timer. */
  readonly waits: boolean;
  /** Whether it may call other systems; `defaultProvider` is the model provider of Prompts that name none. */
  callsOut(defaultProvider: string | undefined): boolean;
  /** Time limit of an attempt; Infinity when only the execution's deadline applies. */
  readonly timeoutSeconds: number;
  /** Whether the flow ends with this step and its output. */
  readonly ends: boolean;
  /** Whether anything but a limit of the execution can fail it. */
  readonly canFail: boolean;
  /** Parts of the step that may contain templates. */
  readonly templated: readonly { readonly pointer: string; readonly value: unknown }[];
  /** JSON Schemas in the step. */
  readonly schemas: readonly { readonly pointer: string; readonly schema: unknown }[];
  /** Steps that it chooses between. */
  readonly targets: readonly { readonly pointer: string; readonly target: string }[];
  /** Agents that it may call. */
  readonly agents: readonly AgentUse[];
  /** Whether it waits for a request to an address of its own. */
  readonly hasAddress: boolean;
  /** Step that it runs for each item. */
  readonly inner: StepPlan | undefined;
  readonly problems: readonly FlowProblem[];
  /** Finds members that the step does not have. Stored steps may have some. */
  findUnknown(): readonly FlowProblem[];
  run(context: StepContext): Promise<StepResult>;
};

/** A type of step. */
export type StepType = {
  readonly type: string;
  /** Schema of a step of this type; an inner step may be any value. */
  readonly schema: z.ZodObject;
  /** Member that holds an inner step. */
  readonly inner: string | undefined;
  /** Checks a step; pointers are relative to it. */
  plan(step: unknown, planning: Planning): StepPlan | readonly FlowProblem[];
};

/** Why the failure of a step needs no handling. */
export const cannotFail =
  "cannot fail: it waits for nothing that may not come, and has no expression";

type Definition<Shape extends z.ZodRawShape> = {
  readonly type: string;
  readonly shape: Shape;
  readonly waits: boolean;
  /** Whether a step can fail that neither waits for other systems nor has a template; false if absent. */
  canFail?(step: ParsedStep<Shape>): boolean;
  /** Whether a step that waits calls other systems; true if absent. */
  callsOut?(step: ParsedStep<Shape>, defaultProvider: string | undefined): boolean;
  /** Schema of `timeoutSeconds`, where it is not that of an attempt. */
  readonly timeLimit?: typeof stepBase.timeoutSeconds;
  /** Default time limit of an attempt; 60 if absent. */
  readonly timeoutSeconds?: number;
  readonly ends?: boolean;
  /** Member that holds the inner step. */
  readonly inner?: string;
  /** Members that may contain templates, or such parts of members. */
  templated(step: ParsedStep<Shape>): readonly (string | StepPlan["templated"][number])[];
  /** Finds its expressions without delimiters; pointers are relative to the step. */
  expressions?(step: ParsedStep<Shape>): readonly { pointer: string; source: string }[];
  hasAddress?(step: ParsedStep<Shape>): boolean;
  schemas?(step: ParsedStep<Shape>): StepPlan["schemas"];
  targets?(step: ParsedStep<Shape>): StepPlan["targets"];
  agents?(step: ParsedStep<Shape>, surroundings: FlowSurroundings): readonly AgentUse[];
  /** Finds what the inner step may not have; pointers are relative to it. */
  checkInner?(inner: StepPlan): readonly FlowProblem[];
  check?(step: ParsedStep<Shape>, surroundings: FlowSurroundings): readonly FlowProblem[];
  run(
    step: ParsedStep<Shape>,
    context: StepContext,
    surroundings: FlowSurroundings,
  ): Promise<StepResult>;
};

type ParsedStep<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

const defaultTimeoutSeconds = 60;

/** Defines a type of step by its schema, references and implementation. */
export const defineStep = <Shape extends z.ZodRawShape>(
  definition: Definition<Shape>,
): StepType => {
  const { type, waits, ends = false } = definition;
  // A step that waits for people or events has a limit of its own.
  const limits = definition.timeLimit ? { timeoutSeconds: definition.timeLimit } : {};
  const base = z.object({ ...stepBase, type: z.literal(type), ...limits });
  const ownShape = z.object(definition.shape);
  const whole = z.object({ ...base.shape, ...definition.shape });
  return {
    type,
    schema: whole,
    inner: definition.inner,
    plan(raw, planning) {
      const parsedBase = base.safeParse(raw, { error: zodErrorMap });
      const parsedOwn = ownShape.safeParse(raw, { error: zodErrorMap });
      const findOwnUnknown = () =>
        findUnknownMembers(whole, raw, true).map(({ path, detail }) => ({
          pointer: buildPointer(...path),
          detail,
        }));
      if (!parsedBase.success || !parsedOwn.success) {
        const problems = [...toFlowProblems(parsedBase.error), ...toFlowProblems(parsedOwn.error)];
        return [...problems, ...findOwnUnknown()];
      }
      const step = parsedOwn.data;
      const inside = planInside(definition.inner, step, planning);
      const templated = definition
        .templated(step)
        .map((part) =>
          typeof part === "string"
            ? { pointer: buildPointer(part), value: Reflect.get(step, part) }
            : part,
        );
      const expressions = (definition.expressions?.(step) ?? []).map(({ pointer, source }) => ({
        pointer,
        value: `${open} ${source} ${close}`,
      }));
      const timeoutSeconds = definition.timeoutSeconds ?? defaultTimeoutSeconds;
      const own = [...templated, ...expressions, ...inside.templated];
      const { onError } = parsedBase.data;
      const canFail =
        waits ||
        definition.canFail?.(step) ||
        inside.plan?.canFail ||
        own.some(({ value }) => holdsTemplate(value));
      return {
        base: parsedBase.data,
        type,
        waits,
        callsOut: (defaultProvider) =>
          inside.plan?.callsOut(defaultProvider) ??
          definition.callsOut?.(step, defaultProvider) ??
          waits,
        timeoutSeconds: parsedBase.data.timeoutSeconds ?? timeoutSeconds,
        ends,
        canFail,
        templated: [
          ...own,
          ...(onError ? [{ pointer: buildPointer("onError", "value"), value: onError.value }] : []),
        ],
        schemas: [...(definition.schemas?.(step) ?? []), ...inside.schemas],
        targets: definition.targets?.(step) ?? [],
        agents: [...(definition.agents?.(step, planning) ?? []), ...inside.agents],
        hasAddress: definition.hasAddress?.(step) ?? false,
        inner: inside.plan,
        problems: [
          ...inside.problems,
          ...(inside.plan
            ? below(
                buildPointer(definition.inner ?? ""),
                definition.checkInner?.(inside.plan) ?? [],
              )
            : []),
          ...(definition.check?.(step, planning) ?? []),
          ...(onError && !canFail
            ? [{ pointer: buildPointer("onError"), detail: `The step ${cannotFail}.` }]
            : []),
        ],
        findUnknown: () => [
          ...findOwnUnknown(),
          ...below(buildPointer(definition.inner ?? ""), inside.plan?.findUnknown() ?? []),
        ],
        run: (context) => definition.run(step, context, planning),
      };
    },
  };
};

/** Plans an inner step; pointers are relative to the outer one. */
const planInside = (key: string | undefined, step: object, { planInner }: Planning) => {
  const nothing = { templated: [], schemas: [], agents: [], problems: [], plan: undefined };
  if (key === undefined) return nothing;
  const at = buildPointer(key);
  const plan = planInner(Reflect.get(step, key));
  if (!("base" in plan)) return { ...nothing, problems: below(at, plan) };
  const templated = plan.templated.map(({ pointer, value }) => ({ pointer: at + pointer, value }));
  const agents = plan.agents.map((use) => ({ ...use, pointer: at + use.pointer }));
  const schemas = plan.schemas.map(({ pointer, schema }) => ({ pointer: at + pointer, schema }));
  return { templated, schemas, agents, problems: below(at, plan.problems), plan };
};

/** Prefixes the pointers of problems. */
export const below = (at: string, problems: readonly FlowProblem[]): FlowProblem[] =>
  problems.map(({ pointer, detail }) => ({ pointer: at + pointer, detail }));

/** Maps zod issues to problems, with pointers that start with `parts`. */
export const toFlowProblems = (
  error: z.ZodError | undefined,
  ...parts: readonly (string | number)[]
): FlowProblem[] =>
  (error?.issues ?? []).flatMap(meantIssues).map(({ path, message }) => ({
    pointer: buildPointer(...parts, ...path.map(String)),
    detail: message,
  }));

type Issue = Pick<z.core.$ZodIssue, "path" | "message">;

/** Returns the issues of the option of a union that a value was meant for: only members of it are wrong. */
const meantIssues = (issue: z.core.$ZodIssue): readonly Issue[] => {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.find(
    (issues) => issues.length > 0 && issues.every(({ path }) => path.length > 0),
  );
  return meant
    ? meant.map(({ path, message }) => ({ path: [...issue.path, ...path], message }))
    : [issue];
};
