import type { Json, JsonObject } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";

/** A sub-agent's name, description and inputs, for a model that may call it. */
export type SubAgentDescription = {
  readonly displayName: string;
  readonly description: string | null;
  readonly parametersMetadata: readonly ParameterDescriptor[];
};

/** One call of a sub-agent. */
export type SubAgentCall = {
  readonly agentId: string;
  readonly input: JsonObject;
  /**
   * Where in the run the call is made, the same when the run is taken over by another worker: the
   * span's id. An execution that was started for it is then continued, not started again.
   */
  readonly path: string;
  /** Whether a model makes the call, which receives a failure. */
  readonly isModelCall?: true;
  readonly signal: AbortSignal;
};

/** The output of a sub-agent. */
export type SubAgentResult = { readonly output: Json; readonly executionId: string };

/**
 * Runs other agents as part of a run, as separate executions. Refuses cycles among the agents that
 * are already running, and depths over 5. Failures are thrown as StepError.
 */
export type AgentRunner = {
  /** Undefined when the agent does not exist, or has no deployed revision. */
  describe(agentId: string): Promise<SubAgentDescription | undefined>;
  /** Throws a RunStop when the agent waits. */
  run(call: SubAgentCall): Promise<SubAgentResult>;
};
