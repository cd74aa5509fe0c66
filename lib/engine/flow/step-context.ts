import type { Json, JsonObject } from "../../json/json.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import type { Cost, ModelRegistry, TokenCounts } from "../models/model.ts";
import type { ToolRegistry } from "../tools/tool.ts";
import type { AgentRunner } from "./agent-runner.ts";
import type { ConversationMessage } from "./conversation-message.ts";
import type { SkillRegistry } from "./skill.ts";

/** Which model answers a Prompt. */
export type LlmChoice = { readonly providerId: string; readonly parameters: JsonObject };

/** What a step learns about itself that its span shows. */
export type StepNotes = { input?: Json; providerId?: string; modelId?: string };

/** Something that a step does and that has a span of its own below the step's. */
export type ChildStart = {
  readonly type: "Model" | "Tool" | "SubAgent";
  readonly name: string;
  readonly input: Json;
  readonly providerId?: string;
  readonly modelId?: string;
};

/** How it ended: with an output or an error. */
export type ChildEnd = {
  readonly input?: Json;
  readonly output?: Json;
  readonly error?: unknown;
  readonly usage?: TokenCounts;
  readonly cost?: Cost;
  readonly priced?: boolean;
};

/** A span that goes on. One that is still open when its step ends is cancelled. */
export type OpenChild = { readonly id: string; close(end: ChildEnd): void };

/** What something that is cut short had used. */
export type Used = Required<Pick<ChildEnd, "usage" | "cost" | "priced">>;

/** How a step's inner step runs for its items. */
export type ItemsOptions = { readonly concurrency: number; readonly collect: boolean };

/** What a step has to work with. */
export type StepContext = {
  /** Evaluates the templates in a value of the step. */
  evaluate(value: unknown): Promise<Json>;
  /** The id of the attempt's span, which tells where in the run it is. */
  readonly spanId: string;
  readonly signal: AbortSignal;
  readonly clock: () => number;
  readonly processor: ProcessorBudget;
  readonly models: ModelRegistry;
  readonly tools: ToolRegistry;
  readonly agents: AgentRunner | undefined;
  readonly skills: SkillRegistry | undefined;
  readonly defaultLlm: LlmChoice | undefined;
  /** What was said before in the conversation, oldest first. */
  readonly session: readonly ConversationMessage[];
  note(notes: StepNotes): void;
  /** Passes on text while it is made. */
  delta(text: string): void;
  /** `whenCut` is asked what it used when the step ends while it is still open. */
  begin(child: ChildStart, whenCut?: () => Promise<Used>): OpenChild;
  /**
   * Asks, where spending is guarded, whether as many US dollars may be spent as `estimate` says. They
   * count as spent until the function that it gives is called.
   */
  reserve(estimate: () => Promise<number>): Promise<() => void>;
  /** Runs the inner step for each item; gives the outputs in the items' order. */
  runItems(items: readonly Json[], options: ItemsOptions): Promise<readonly Json[]>;
};
