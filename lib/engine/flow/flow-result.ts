import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import type { TraceContext } from "../../platform/tracing/trace-context.ts";
import type { Json, JsonObject } from "../../values/json/json.ts";
import type { Guard } from "../guardrails/guard.ts";
import type { Cost, ModelMessage, ModelRegistry, TokenCounts } from "../models/model.ts";
import type { Blocked, StepErrorSlug } from "../step-error.ts";
import type { ToolRegistry } from "../tools/tool.ts";
import type { AgentRunner } from "./agent-runner.ts";
import type { FlowFiles } from "./files.ts";
import type { Knowledge, Passage } from "./knowledge.ts";
import type { AgentMemory } from "./memory.ts";
import type { FlowSession } from "./session.ts";
import type { SkillRegistry } from "./skill.ts";
import type { SpendGuard } from "./spend-guard.ts";
import type { ServedBy, StepNotes } from "./step-context.ts";
import type { LlmChoice, StepFailure } from "./step-type.ts";
import type { Waits } from "./waits.ts";

/** Tokens and cost of one model of one provider; not `priced` without a known price. */
export type UsageEntry = {
  readonly providerId: string;
  readonly modelId: string;
  readonly tokens: TokenCounts;
  readonly cost: Cost;
  readonly priced: boolean;
};

/** Why a step, and with it the flow, failed. `cause` is for logs only, and not enumerable. */
export type FlowError = {
  readonly slug: StepErrorSlug;
  readonly detail: string;
  /** Id of the step that failed; null when no step did. */
  readonly step: string | null;
  readonly upstream?: string;
  readonly upstreamStatus?: number;
  /** The check that blocked, for `guardrail-blocked`. */
  readonly blocked?: Blocked;
  readonly cause?: unknown;
};

/** One attempt at a step, or a step that was skipped. */
export type Span = {
  /** The step's id, followed by `#2` and so on for later attempts. */
  readonly id: string;
  readonly parentId: string | null;
  readonly stepId: string;
  readonly name: string;
  readonly type: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly status: "Succeeded" | "Failed" | "Cancelled" | "Skipped";
  readonly input: Json;
  readonly output: Json;
  readonly error: FlowError | null;
  /** Whether the flow handled the failure; absent for others. */
  readonly handled?: true;
  /** Whether the step was not run, because its output was given; absent for others. */
  readonly pinned?: true;
  readonly usage: TokenCounts | null;
  readonly cost: Cost | null;
  /** False when the model has no known price; null without a model call. */
  readonly priced: boolean | null;
  readonly modelId: string | null;
  readonly providerId: string | null;
  /** The model that responded; absent for other spans than those of Prompts with fallbacks. */
  readonly servedBy?: ServedBy;
  /** Why a model ended its response, and the model that it names; absent for spans of other types. */
  readonly finishReason?: string;
  readonly responseModelId?: string;
  /** Position of the item in its ForEach; absent outside of one. */
  readonly index?: number;
  /** `INTEGRATION/TOOL` of a Tool step, or of a model's call; absent for spans of other types. */
  readonly tool?: string;
  /** Passages that a Retrieve or the model of a Prompt found, at most `maxCitations`; absent without a search. */
  readonly citations?: readonly Passage[];
};

/** A finished step as JSON, so that another run can resume after it. */
export type StepOutcome = {
  /** The step's id; for a step inside a ForEach `<id of the ForEach>/<index>`. */
  readonly stepId: string;
  readonly output: Json;
  /** Whether it selected nothing, so that other expressions see no output. */
  readonly isNothing?: true;
  /** Why it failed, where its flow handles that. */
  readonly error?: StepFailure;
  /** Whether it failed, so that its edges with `on: "error"` are taken. */
  readonly isFailed?: true;
  /** The step that it chose; absent where its output names it. Null for none. */
  readonly chosen?: string | null;
  /** The messages that a Prompt and its model exchanged; absent for other steps. */
  readonly exchange?: readonly ModelMessage[];
  /** Its attempts, failed ones included. */
  readonly spans: readonly Span[];
  /** Present where it has not finished but waits: its spans so far are those of an attempt that is resumed. */
  readonly suspended?: SuspendedAttempt;
};

/** An attempt at a step that waits, as JSON, so that another run resumes within it. */
export type SuspendedAttempt = {
  /** The step, or the item of a ForEach. */
  readonly stepId: string;
  readonly spanId: string;
  readonly attempt: number;
  readonly startTime: number;
  /** Number of suspensions of the step: of several, the last one counts. */
  readonly count: number;
  /** Number of the spans of earlier attempts. They precede that of this attempt as it would be if it ended now. */
  readonly earlierSpans: number;
  readonly notes: StepNotes;
  /** The state from which the step resumes. */
  readonly state: Json;
  /** Begins the references to secrets, where it is stored. */
  readonly nonce?: string;
};

/** An event of a running flow. */
export type FlowEvent =
  | { readonly type: "step.started"; readonly stepId: string; readonly attempt: number }
  | { readonly type: "output.delta"; readonly stepId: string; readonly text: string }
  /** The text so far is void: the step begins again. */
  | { readonly type: "output.reset"; readonly stepId: string }
  | { readonly type: "step.completed"; readonly stepId: string; readonly output: Json }
  | {
      readonly type: "step.failed";
      readonly stepId: string;
      readonly error: FlowError;
      /** Whether another attempt follows. */
      readonly willRetry: boolean;
      /** Whether its flow continues: by an edge with `on: "error"`, or with the value of `onError`. */
      readonly handled: boolean;
    };

/** The result of a flow. */
export type FlowResult = {
  /**
   * `Interrupted`: stopped by `handOver` or `drain`; another run can resume after the completed steps. `Waiting`: nothing
   * can run until one of its waits ends; another run can resume then.
   */
  readonly status: "Succeeded" | "Failed" | "TimedOut" | "Cancelled" | "Interrupted" | "Waiting";
  /** Null unless the flow succeeded. */
  readonly output: Json;
  readonly error: FlowError | null;
  readonly usage: readonly UsageEntry[];
  readonly spans: readonly Span[];
  /** Of a run that another one resumes: the steps that wait, and those of earlier runs that this one did not reach. */
  readonly suspended?: readonly StepOutcome[];
};

/** Bounds of one run. */
export type FlowLimits = {
  /** Bytes of JSON of all outputs together; default 8 MiB. */
  readonly maxStateBytes?: number;
  /** Attempts at steps, earlier runs' included; default 1,000. */
  readonly maxStepRuns?: number;
  /** Bytes of JSON that one expression may give; default 1 MiB. */
  readonly maxResultBytes?: number;
};

/** Input, dependencies and limits of a run. */
export type FlowOptions = {
  readonly input: JsonObject;
  readonly parameters: JsonObject;
  readonly trigger: {
    readonly type: number;
    readonly id: string;
    readonly provider: string | null;
  };
  readonly execution: {
    readonly id: string;
    readonly agentId: string;
    readonly agentRevision: number;
    readonly startTime: number;
  };
  readonly deps: {
    /** Milliseconds since the epoch. */
    readonly clock: () => number;
    /** Resolves or rejects early when the signal is aborted. Default: a timer. */
    readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
    readonly models: ModelRegistry;
    readonly tools: ToolRegistry;
    /** Without it steps that need other agents fail. */
    readonly agents?: AgentRunner;
    /** Without it steps that need skills fail. */
    readonly skills?: SkillRegistry;
    /** Without it steps that search assets fail. */
    readonly knowledge?: Knowledge;
    /** Without it Prompts remember nothing. */
    readonly memory?: AgentMemory;
    /** Without it Prompts with files fail, and tools return binary content as base64. */
    readonly files?: FlowFiles;
  };
  /** Processor time of the flow's expressions and schemas together. */
  readonly processor: ProcessorBudget;
  /** Returns the trace context of work below a span. */
  readonly traceContextBelow?: (spanId: string) => TraceContext;
  /** Called before every model call. */
  readonly spend?: SpendGuard;
  /** Checks what tools and searches send and return; absent without such checks. */
  readonly guard?: Guard;
  readonly signal: AbortSignal;
  /** When aborted, the run stops so that another can resume it. */
  readonly handOver?: AbortSignal;
  /**
   * When aborted, steps and items that wait for other systems do not start any more. The run stops when those in
   * progress have finished, so that another can resume it; without any left to start it ends as usual.
   */
  readonly drain?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** The session that it continues; Prompts send its earlier turns to their model. */
  readonly session?: FlowSession;
  /** Addresses of the flow's callbacks, by step. */
  readonly callbacks?: Readonly<Record<string, string>>;
  /** Default model of Prompts. */
  readonly defaultLlm?: LlmChoice;
  readonly emit?: (event: FlowEvent) => void;
  /**
   * Steps that an earlier run finished, by id; they are not repeated. Entries under an id that no step has only
   * count as spent, and suspended ones are resumed.
   */
  readonly completed?: ReadonlyMap<string, StepOutcome>;
  /** Awaited before dependent steps start. When it rejects, so does `runFlow`. */
  readonly onStepCompleted?: (outcome: StepOutcome) => Promise<void>;
  /** Without them steps that wait fail. */
  readonly waits?: Waits;
  /** Masks secrets in a value before it is truncated. */
  readonly hide?: (value: Json) => Json;
  readonly limits?: FlowLimits;
};
