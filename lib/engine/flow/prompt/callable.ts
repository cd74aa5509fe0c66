import type { Json, JsonObject } from "../../../json/json.ts";
import type { ChildStart } from "../step-context.ts";

/** One call by a model. */
export type CallOptions = {
  /** The id of the call's span. */
  readonly path: string;
  readonly signal: AbortSignal;
};

/** What came of a call; `shown` stands in the span in place of the arguments. */
export type CallOutcome = { readonly output: Json; readonly shown?: Json };

/** A tool or a sub-agent, as a model may call it. */
export type Callable = {
  /** The same for the same tool or sub-agent, however often it is named. */
  readonly key: string;
  /** A name for the model, which may need changes to be taken. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  readonly span: Pick<ChildStart, "type" | "name">;
  /** A ToolError says that the arguments do not fit. */
  call(given: Json, options: CallOptions): Promise<CallOutcome>;
};
