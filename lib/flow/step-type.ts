import * as z from "zod";
import type { ModelRegistry, TokenCounts } from "../models/model.ts";
import type { ToolRegistry } from "../tools/tool.ts";
import { isRecord, type Json, type JsonObject, pointerOf } from "./json.ts";
import { repeatableSlugs } from "./step-error.ts";

/** Something wrong with a flow; the pointer leads to it from the flow. */
export type FlowProblem = { readonly pointer: string; readonly detail: string };

/** What every step may have, whatever its type. */
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
};

/** The members of every step, parsed. */
export type StepBase = z.output<z.ZodObject<typeof stepBase>>;

/** Which model answers a Prompt. */
export type LlmChoice = { readonly providerId: string; readonly parameters: JsonObject };

/** What a step learns about itself that its span shows. */
export type StepNotes = {
  input?: Json;
  providerId?: string;
  modelId?: string;
  usage?: TokenCounts;
};

/** What a step has to work with. */
export type StepContext = {
  /** Evaluates the templates in a value of the step. */
  evaluate(value: unknown): Promise<Json>;
  readonly signal: AbortSignal;
  readonly clock: () => number;
  readonly models: ModelRegistry;
  readonly tools: ToolRegistry;
  readonly defaultLlm: LlmChoice | undefined;
  note(notes: StepNotes): void;
  /** Passes on text while it is made. */
  delta(text: string): void;
};

/** What a step gave. */
export type StepResult = { readonly output: Json };

/** A step of a flow, checked and ready to run. */
export type StepPlan = {
  readonly base: StepBase;
  readonly type: string;
  /** The step waits for others than this process, so its time limit needs a timer. */
  readonly waits: boolean;
  /** The flow ends with this step, and its output is the flow's. */
  readonly ends: boolean;
  /** Parts of the step in which templates are looked for. */
  readonly templated: readonly { readonly pointer: string; readonly value: unknown }[];
  /** Steps that it chooses between. */
  readonly targets: readonly { readonly pointer: string; readonly target: string }[];
  readonly problems: readonly FlowProblem[];
  run(context: StepContext): Promise<StepResult>;
};

/** A type of step: one file, one line in the registry. */
export type StepType = {
  readonly type: string;
  readonly schema: z.ZodType;
  /** Checks a step; pointers are relative to it. */
  plan(step: unknown, tools: ToolRegistry): StepPlan | readonly FlowProblem[];
};

type Definition<Shape extends z.ZodRawShape> = {
  readonly type: string;
  readonly shape: Shape;
  readonly waits: boolean;
  readonly ends?: boolean;
  /** Members that are part of the type, but that flows can't use yet. */
  readonly later?: readonly string[];
  templated(step: StepOf<Shape>): readonly string[];
  targets?(step: StepOf<Shape>): StepPlan["targets"];
  check?(step: StepOf<Shape>, tools: ToolRegistry): readonly FlowProblem[];
  run(step: StepOf<Shape>, context: StepContext): Promise<StepResult>;
};

type StepOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** Makes a type of step from its schema, its references and its work. */
export function defineStep<Shape extends z.ZodRawShape>(definition: Definition<Shape>): StepType {
  const { type, waits, ends = false, later = [] } = definition;
  const base = z.object({ ...stepBase, type: z.literal(type) });
  const own = z.object(definition.shape);
  return {
    type,
    schema: z.intersection(base, own),
    plan(raw, tools) {
      const parsedBase = base.safeParse(raw);
      const parsedOwn = own.safeParse(raw);
      const problems = [
        ...problemsOf(parsedBase.error),
        ...problemsOf(parsedOwn.error),
        ...problemsOfLater(type, raw, later),
      ];
      if (!parsedBase.success || !parsedOwn.success) return problems;
      const step = parsedOwn.data;
      return {
        base: parsedBase.data,
        type,
        waits,
        ends,
        templated: definition.templated(step).map((key) => ({
          pointer: pointerOf(key),
          value: Reflect.get(step, key),
        })),
        targets: definition.targets?.(step) ?? [],
        problems: [...problems, ...(definition.check?.(step, tools) ?? [])],
        run: (context) => definition.run(step, context),
      };
    },
  };
}

/** What is wrong by a schema, with pointers from `parts` on. */
export function problemsOf(
  error: z.ZodError | undefined,
  ...parts: readonly (string | number)[]
): FlowProblem[] {
  return (error?.issues ?? []).map(({ path, message }) => ({
    pointer: pointerOf(...parts, ...path.map(String)),
    detail: message.endsWith("received undefined") ? "is required" : message,
  }));
}

function problemsOfLater(type: string, raw: unknown, later: readonly string[]): FlowProblem[] {
  if (!isRecord(raw)) return [];
  return later
    .filter((key) => {
      const value = Object.hasOwn(raw, key) ? raw[key] : undefined;
      return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
    })
    .map((key) => ({
      pointer: pointerOf(key),
      detail: `"${key}" of a ${type} step is not available yet.`,
    }));
}
