import type { Json, JsonObject } from "../../../values/json/json.ts";
import type { ChildStart } from "../step-context.ts";

/** One call by a model. */
export type CallOptions = {
  /** Id of the call's span. */
  readonly path: string;
  readonly signal: AbortSignal;
};

/** The result of a call; `shown` replaces the arguments in the span. */
export type CallOutcome = { readonly output: Json; readonly shown?: Json };

/** A tool or a sub-agent that a model may call. */
export type Callable = {
  /** Identifies the tool or sub-agent, however often a Prompt names it. */
  readonly key: string;
  /** Preferred name for the model; may be changed to be valid and unique. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  readonly span: Pick<ChildStart, "type" | "name">;
  /** Whether its calls change nothing. */
  readonly isReadOnly: boolean;
  /** Bytes of its results that a model receives; default 100,000. */
  readonly maxResultBytes?: number;
  /** Throws a ToolError for invalid arguments. */
  check(given: Json): Promise<void>;
  /** Throws a ToolError for invalid arguments. */
  call(given: Json, options: CallOptions): Promise<CallOutcome>;
};
