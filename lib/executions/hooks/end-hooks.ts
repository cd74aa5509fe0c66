import { isInSample } from "../../agents/agent/online-evaluation.ts";
import { hasMailRecipients } from "../../notifications/alert/find-recipients.ts";
import { type Audience, findAudience } from "../../notifications/destination/find-audience.ts";
import { toMonth } from "../../platform/db/keys.ts";
import {
  type OrganizationEvent,
  traceEventType,
} from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { publishThresholds } from "../../spending/budget/check-budget.ts";
import { settleSpend } from "../../spending/budget/spend-store.ts";
import { countUsage, mergeCounts, withoutModels } from "../../spending/usage/count-usage.ts";
import type { EndHooks, EndInput, HookDeps } from "../job/job.ts";
import { findRememberedTurns } from "../read/read-spans.ts";
import type { ExecutionRecord } from "../record/execution-record.ts";
import { toExecutionKey } from "../record/keys.ts";
import { type RunOutcome, toExecutionResult, toStoredOutcome } from "../record/results.ts";
import { type ExecutionStatus, triggerTypes } from "../schemas.ts";
import { type EndMessage, sendEndMessages } from "./end-messages.ts";

/** The writes, events and messages of the end of each execution: usage, budget, events and scores. */
export const endHooks: EndHooks = {
  prepareEvents: (deps, item) => {
    const { tenantId } = toExecutionKey(item);
    const find = () => findAudience(deps.db, tenantId, deps.runtime.clock());
    const audience = isPublished(item) ? find() : undefined;
    // Building the events awaits it and handles its failure.
    audience?.catch(() => undefined);
    return async (input) => buildEvents(deps, input, await (audience ?? find()));
  },
  buildWrites: ({ tenantId, agent, outcome: { item }, usage: models }, events) => {
    const { totalCost: cost, reserved } = item;
    const amount = agent.budget?.amount ?? null;
    return [
      {
        write: countUsage(tenantId, item, { models }),
        otherwise: countUsage(tenantId, item, withoutModels({ models })),
      },
      ...settleSpend(tenantId, item, { amount, cost, reserved }).map((write) => ({ write })),
      ...events.map((event) => ({ write: putInOutbox(event) })),
    ];
  },
  mergeWrites: mergeCounts,
  beforeEnd: (deps, input) =>
    sendEndMessages(deps, {
      end: input,
      messages: [...requestEvaluation(input), ...requestMemories(input), ...requestReply(input)],
    }),
  afterEnd: async ({ db, send, runtime }, { tenantId, agent, outcome: { item } }) => {
    if (!agent.budget || item.totalCost === 0) return;
    const thresholdDeps = { db, send, clock: runtime.clock };
    await publishThresholds(thresholdDeps, { tenantId, agent, month: toMonth(item.startTime) });
  },
};

const eventTypesByStatus: Partial<Record<ExecutionStatus, OrganizationEvent["type"]>> = {
  Succeeded: "agent.execution.completed",
  Failed: "agent.execution.failed",
  TimedOut: "agent.execution.failed",
};

/**
 * Returns whether the end of an execution is published: not for tests, and not for sub-agents, since the end of the
 * parent covers theirs.
 */
export const isPublished = ({ isSample, trigger }: Pick<ExecutionRecord, "isSample" | "trigger">) =>
  !isSample && trigger.type !== triggerTypes.subAgent;

/** Builds the events of an execution's end. They contain no input, output or error detail. */
const buildEvents = async (
  { db, runtime }: HookDeps,
  { tenantId, outcome }: EndInput,
  audience: Audience | undefined,
): Promise<OrganizationEvent[]> => {
  if (!audience) return [];
  const { item } = outcome;
  const { organizationId, types } = audience;
  const event = { organizationId, tenantId, agentId: item.agentId };
  const wanted: OrganizationEvent["type"][] = types.has(traceEventType) ? [traceEventType] : [];
  const type = isPublished(item) ? eventTypesByStatus[item.status] : undefined;
  if (type && (types.has(type) || (await hasMailRecipients(db, { type, ...event })))) {
    wanted.push(type);
  }
  const occurredAt = item.endTime ?? runtime.clock();
  return wanted.map((type) => ({
    id: `${type}:${item.id}`,
    type,
    ...event,
    occurredAt,
    data: type === traceEventType ? { executionId: item.id } : toData(outcome),
  }));
};

const toData = (outcome: RunOutcome) => {
  const { item } = outcome;
  const { error } = toStoredOutcome(outcome);
  const { usage, cost } = toExecutionResult(item);
  return {
    executionId: item.id,
    agentRevision: item.agentRevision,
    status: item.status,
    trigger: item.trigger,
    startTime: item.startTime,
    endTime: item.endTime,
    usage,
    cost,
    error: error && { type: error.type, title: error.title, step: error.step },
  };
};

/** The end is recorded right after the message was sent. */
const delaySeconds = 2;

/**
 * Asks for a succeeded execution to be scored, if its agent has an online evaluation and it is in the sample. As the messages
 * below, sent before the end is recorded, so that a crash between the two loses nothing.
 */
const requestEvaluation = ({
  tenantId,
  agent: { onlineEvaluation },
  outcome: { item },
}: EndInput): EndMessage[] => {
  const { id: executionId, agentId, isSample, status } = item;
  if (!onlineEvaluation || isSample || status !== "Succeeded") return [];
  if (!isInSample(executionId, onlineEvaluation)) return [];
  const message = { type: "evaluate-execution", tenantId, agentId, executionId } as const;
  return [{ queue: "evaluations", group: tenantId, message, delaySeconds }];
};

/** Asks for what is worth keeping of a succeeded execution's turns to be remembered; not for tests. */
const requestMemories = ({ tenantId, outcome: { item, trace } }: EndInput): EndMessage[] => {
  const { id: executionId, agentId, isSample, status } = item;
  if (isSample || status !== "Succeeded" || findRememberedTurns(trace).length === 0) return [];
  const message = { type: "remember-execution", tenantId, agentId, executionId } as const;
  return [{ queue: "evaluations", group: tenantId, message, delaySeconds }];
};

/**
 * Asks for the reply to the chat message of an execution that waited: who ran it first does not wait for its end, and who
 * replies waits for it.
 */
const requestReply = ({ tenantId, outcome: { item } }: EndInput): EndMessage[] => {
  const { id: executionId, trigger, hasWaited } = item;
  if (!hasWaited || trigger.type !== triggerTypes.connector) return [];
  const message = {
    type: "send-chat-reply",
    tenantId,
    connectorId: trigger.id,
    executionId,
  } as const;
  return [{ queue: "chats", group: executionId, message }];
};
