import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import type { TraceContext } from "../../platform/tracing/trace-context.ts";
import type { Json, JsonObject } from "../../values/json/json.ts";
import type { GuardedPlace } from "../guardrails/schemas.ts";
import type { CacheMode } from "../models/llm-options.ts";
import type { Cost, ModelRegistry, TokenCounts } from "../models/model.ts";
import type { FailureReason } from "../models/model-failure.ts";
import type { ToolRegistry } from "../tools/tool.ts";
import type { AgentRunner } from "./agent-runner.ts";
import type { FlowFiles } from "./files.ts";
import type { Knowledge, Passage } from "./knowledge.ts";
import type { AgentMemory } from "./memory.ts";
import type { FlowSession } from "./session.ts";
import type { SkillRegistry } from "./skill.ts";
import type { Estimate } from "./spend-guard.ts";
import type { WaitEnd, WaitRequest } from "./waits.ts";

/** A model of a provider, and the settings of its calls. */
export type ModelChoice = { readonly providerId: string; readonly parameters: JsonObject };

/** The model of a Prompt, and those that are called when it fails. */
export type LlmChoice = ModelChoice & {
  readonly fallbacks?: readonly ModelChoice[] | null | undefined;
  /** Failures after which the next model is called. */
  readonly fallbackOn?: readonly FailureReason[] | null | undefined;
  readonly cache?: CacheMode | null | undefined;
};

/** The model that responded to a Prompt with fallbacks. */
export type ServedBy = { readonly providerId: string; readonly modelId: string };

/** Facts about a step that its span shows. */
export type StepNotes = {
  input?: Json;
  providerId?: string;
  modelId?: string;
  servedBy?: ServedBy;
  tool?: string;
  citations?: readonly Passage[];
  /** When it began to wait, in an earlier run. Unix milliseconds. */
  startTime?: number;
};

/** A part of a step's work with a span of its own. */
export type ChildStart = {
  readonly type: "Model" | "Tool" | "SubAgent" | "Memory" | "Guardrail";
  readonly name: string;
  readonly input: Json;
  readonly providerId?: string;
  readonly modelId?: string;
};

/** The end of a span: output or error. */
export type ChildEnd = {
  readonly input?: Json;
  readonly output?: Json;
  readonly error?: unknown;
  readonly usage?: TokenCounts;
  readonly cost?: Cost;
  readonly priced?: boolean;
  readonly finishReason?: string;
  readonly responseModelId?: string;
};

/** An open span; cancelled when its step ends first. */
export type OpenChild = { readonly id: string; close(end: ChildEnd): void };

/** Usage of aborted work. */
export type Used = Required<Pick<ChildEnd, "usage" | "cost" | "priced">>;

/** Concurrency and failure mode of an inner step. */
export type ItemsOptions = { readonly concurrency: number; readonly collect: boolean };

/** The context in which a step runs. */
export type StepContext = {
  /** Evaluates the templates in a value of the step, which may see `more` names. */
  evaluate(value: unknown, more?: JsonObject): Promise<Json>;
  /** As `evaluate`; undefined when the value is one expression that selects nothing. */
  select(value: unknown): Promise<Json | undefined>;
  /** Id of the attempt's span, unique in the run. */
  readonly spanId: string;
  /** Returns the trace context of work below a span. */
  readonly traceContextBelow?: ((spanId: string) => TraceContext) | undefined;
  readonly signal: AbortSignal;
  readonly clock: () => number;
  /** Returns the milliseconds until the attempt must end. */
  remainingMs(): number;
  /** Resolves after a time, or when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  readonly processor: ProcessorBudget;
  readonly models: ModelRegistry;
  readonly tools: ToolRegistry;
  readonly agents: AgentRunner | undefined;
  readonly skills: SkillRegistry | undefined;
  readonly knowledge: Knowledge | undefined;
  readonly memory: AgentMemory | undefined;
  readonly files: FlowFiles | undefined;
  readonly defaultLlm: LlmChoice | undefined;
  /** The session that the flow continues. */
  readonly session: FlowSession | undefined;
  note(notes: StepNotes): void;
  /** Emits generated text. */
  delta(text: string): void;
  /** Opens a span; `whenCut` returns its usage when the step ends first. */
  openSpan(child: ChildStart, whenCut?: () => Promise<Used>): OpenChild;
  /** Continues a span that was open when the attempt was suspended. */
  reopenSpan(id: string): OpenChild;
  /** Checks a value by the guardrails; returns it as they leave it. Throws a StepError when one blocks. */
  guard(place: GuardedPlace, value: Json): Promise<Json>;
  /** Masks secrets in a value that is shown. */
  hide(value: Json): Json;
  /**
   * Reserves the estimated US dollars in an enforced budget. They count as spent until the returned function is
   * called. Throws a StepError for a model without a price that the budget does not allow.
   */
  reserve(estimate: () => Promise<Estimate>): Promise<() => void>;
  /**
   * Resolves with how the step's wait ended. Rejects with a RunStop when nothing else can run before: the step then runs
   * again after it. `request` is called unless an earlier run opened the wait.
   */
  wait(request: () => Promise<WaitRequest>): Promise<WaitEnd>;
  /** State with which an earlier run suspended the attempt; undefined for one that begins. */
  readonly suspended: Json | undefined;
  /** Returns how a wait of `suspend` ended; undefined while it is open. */
  findEnd(name: string): WaitEnd | undefined;
  /**
   * Suspends the attempt until one of its waits ends, or that of a sub-agent. Rejects when nothing else can run: another
   * run resumes the attempt then, with this state as `suspended`. For waits that end with an answer, which no run sees
   * before; their names are stable in the attempt. The limit of its time does not count the wait.
   */
  suspend(state: Json, waits: ReadonlyMap<string, () => Promise<WaitRequest>>): Promise<never>;
  /** Runs the inner step for each item; returns the outputs in the items' order. */
  runItems(items: readonly Json[], options: ItemsOptions): Promise<readonly Json[]>;
};
