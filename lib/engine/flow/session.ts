import type { ModelMessage } from "../models/model.ts";

/** Returns a summary of messages, by the model of the step that asks. */
export type Summarize = (messages: readonly ModelMessage[]) => Promise<string>;

/** The session that a flow continues. */
export type FlowSession = {
  /** Instructions of the caller, which follow the system text of its Prompts; absent for none. */
  readonly instructions?: string;
  /** Most output tokens of a call of a model by its Prompts, for the caller; absent for none. */
  readonly maxOutputTokens?: number;
  /** Returns the messages of its earlier turns, oldest first: whole turns. Calls `summarize` where older turns need a summary. */
  recall(summarize: Summarize): Promise<readonly ModelMessage[]>;
};
