import type { AgentRunner } from "../../engine/flow/agent-runner.ts";
import type { FlowOptions } from "../../engine/flow/flow-result.ts";
import { ToolError } from "../../engine/tools/tool.ts";
import { executionFiles } from "../../files/execution-files.ts";
import type { FindPeople } from "../../integrations/connection/connection-owner.ts";
import { isUuid } from "../../platform/http/ids.ts";
import { once } from "../../platform/runtime/once.ts";
import { getApiKey } from "../../tenancy/api-key/store.ts";
import { findOwner } from "../../tenancy/tenant/find-owner.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { jobSecrets, maskInValue } from "../job/masks.ts";
import type { ExecutionRecord } from "../record/execution-record.ts";
import { toExecutionKey } from "../record/keys.ts";
import { traceContextBelow } from "../record/trace-id.ts";
import { getStarter, triggerTypes } from "../schemas.ts";
import { toSessionPlace } from "../session/keys.ts";
import { getSession } from "../session/session-store.ts";
import { guardFiles, guardRegistries, type RunContext } from "./run-context.ts";

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
      files: guardFiles(
        executionFiles(deps, {
          tenantId,
          execution: { agentId: agent.id, executionId: id },
          starter: getStarter(trigger),
        }),
        context,
      ),
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

/**
 * Returns the search for the people of an execution, whom its tools may act for: the end user of its session, in a chat with its
 * connector, or else the user who started it. A key is not a user. Throws a ToolError for an end user whom the user who started it
 * may not act for.
 */
export const findPeople = (
  { db, runtime }: Pick<ExecutionDeps, "db" | "runtime">,
  item: Pick<
    ExecutionRecord,
    "id" | "tenantId" | "agentId" | "session" | "trigger" | "endUserId" | "actsForSelf"
  >,
): FindPeople =>
  once(async () => {
    const { tenantId, agentId } = toExecutionKey(item);
    const { session, trigger, actsForSelf } = item;
    const place = session ? toSessionPlace(tenantId, agentId, session.id) : undefined;
    const endUserId = item.endUserId ?? (place && (await getSession(db, place))?.endUserId);
    if (endUserId !== undefined) {
      if (actsForSelf && endUserId !== trigger.id) throw notForOthers();
      const isChat = trigger.type === triggerTypes.connector;
      return { endUserId: isChat ? `${trigger.id}:${endUserId}` : endUserId };
    }
    const isCalled = trigger.type === triggerTypes.api || trigger.type === triggerTypes.test;
    if (!isCalled || trigger.id === null) return {};
    const owner = await findOwner(db, tenantId, runtime.clock());
    if (!owner) return {};
    const isKey =
      isUuid(trigger.id) && (await getApiKey(db, owner.organizationId, trigger.id)) !== undefined;
    return isKey ? {} : { userId: trigger.id };
  });

const notForOthers = (): ToolError =>
  new ToolError(
    'The session is of another end user. Their connections may be used by API keys, and by users with "integrations:write".',
  );
