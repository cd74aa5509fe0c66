import type { AgentRunner } from "../../engine/flow/agent-runner.ts";
import type { FlowOptions } from "../../engine/flow/flow-result.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { jobSecrets, maskInValue } from "../job/masks.ts";
import { traceContextBelow } from "../record/trace-id.ts";
import { guardRegistries, type RunContext } from "./run-context.ts";

/** One run of an execution, as its flow sees it. */
type FlowRun = {
  job: Job;
  context: RunContext;
  agents: AgentRunner;
  stop: AbortSignal;
  drain: AbortSignal | undefined;
  emit: FlowOptions["emit"];
  spend: FlowOptions["spend"];
  guard: FlowOptions["guard"];
  completed: FlowOptions["completed"];
  session: FlowOptions["session"];
  waits: FlowOptions["waits"];
};

/** Builds the options of the flow of an execution's run. */
export const buildFlowOptions = (
  deps: ExecutionDeps,
  { job, context, agents, stop, drain, emit, spend, guard, completed, session, waits }: FlowRun,
): FlowOptions => {
  const { tenantId, agent, agentRevision, revision, item, values, callbacks } = job;
  const secrets = jobSecrets(job).inTraces;
  const { id, startTime, trigger } = item;
  return {
    input: values,
    parameters: values,
    trigger,
    execution: { id, agentId: agent.id, agentRevision, startTime },
    deps: {
      clock: deps.runtime.clock,
      sleep: deps.sleep,
      agents,
      ...guardRegistries(deps, { tenantId, context }),
      memory: deps.memoryFor(tenantId, agent.id),
    },
    signal: stop,
    handOver: context.handOver.signal,
    ...(drain && { drain }),
    traceContextBelow: (spanId) => traceContextBelow(item, spanId),
    processor: context.processor,
    deadline: job.endsBy,
    ...(spend && { spend }),
    ...(guard && { guard }),
    ...(revision.defaultLlm && { defaultLlm: revision.defaultLlm }),
    ...(session && { session }),
    ...(callbacks && {
      callbacks: Object.fromEntries(callbacks.map(({ stepId, url }) => [stepId, url])),
    }),
    ...(emit && { emit }),
    ...(completed && { completed }),
    ...(context.waits.mayWait && waits && { waits }),
    // Secrets first: of one that a guardrail masks in part, the rest would be shown.
    hide: (value) => {
      const shown = maskInValue(value, secrets);
      return guard ? guard.mask(shown) : shown;
    },
  };
};
