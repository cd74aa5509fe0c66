import { type AgentItem, getAgent } from "../../agents/agent/store.ts";
import { type Begun, beginTriggered } from "../../agents/execution/begin-triggered.ts";
import type { ExecutionDeps } from "../../agents/execution/context.ts";
import { continueExecution } from "../../agents/execution/continue-execution.ts";
import { type End, endOf } from "../../agents/execution/find-end.ts";
import type { WholeExecution } from "../../agents/execution/items.ts";
import { recordRefusal } from "../../agents/execution/record-refusal.ts";
import { type Trigger, triggerTypes } from "../../agents/execution/schemas.ts";
import { getExecution } from "../../agents/execution/store.ts";
import type { ParameterDescriptor } from "../../json/parameters.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { AnswerChatMessage } from "../../platform/queue/messages.ts";
import type { ConnectorItem } from "../connector/items.ts";
import { chatInput } from "./input.ts";
import { listUtterances } from "./turn-store.ts";

/** How an agent took a message; `refused` says why it was not run. */
export type Ran = { end: End; usesSession: boolean } | { refused: string } | "gone";

const firstPauseMs = 100;
const longestPauseMs = 2_000;
/** With less time left a run would be handed over as soon as it is begun. */
const shortestRunMs = 60_000;

/**
 * Runs a connector's agent on a message and waits for its end, once for one `executionId`, however often
 * this is called. "gone" when the agent was deleted meanwhile; throws when the time is over before the end.
 * @param until when to stop waiting, Unix milliseconds
 */
export const runAgent = async (
  deps: ExecutionDeps,
  connector: Pick<ConnectorItem, "id" | "agentId" | "provider">,
  message: AnswerChatMessage,
  { executionId, until }: { executionId: string; until: number },
): Promise<Ran> => {
  const { tenantId } = message;
  const place = { tenantId, agentId: connector.agentId, executionId };
  const isBegun = (await find(deps, place)) !== undefined;
  const begun = isBegun ? undefined : await begin(deps, connector, message, executionId);
  if (begun && "refused" in begun) {
    const run = { executionId, trigger: triggerOf(connector) };
    if (!begun.isStale) await recordRefusal(deps, tenantId, run, begun.refusal);
    return { refused: begun.refused };
  }
  const over = new AbortController().signal;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    // Whoever had it may have died of it: then it is taken up here, when its lease is over.
    if (deps.runtime.clock() < until - shortestRunMs) await continueExecution(deps, place, until);
    const execution = await find(deps, place);
    if (!execution) return "gone";
    const end = await endOf(execution, deps.objects);
    if (end) return { end, usesSession: await usesSession(deps, place, execution) };
    if (deps.runtime.clock() + pauseMs > until) {
      throw new Error(`execution ${executionId} has not ended yet`);
    }
    await deps.sleep(pauseMs, over);
  }
};

type Place = { tenantId: TenantId; agentId: string; executionId: string };

const find = ({ db }: ExecutionDeps, { tenantId, agentId, executionId }: Place) =>
  getExecution(db, tenantId, agentId, executionId);

/** It is not put on the queue of executions: the order of a conversation holds where it is waited for. */
const begin = (
  deps: ExecutionDeps,
  connector: Pick<ConnectorItem, "id" | "agentId" | "provider">,
  message: AnswerChatMessage,
  executionId: string,
): Promise<Begun> => {
  const listBefore = () => listUtterances(deps.db, message, deps.runtime.clock());
  return beginTriggered(
    { ...deps, send: async () => undefined },
    {
      tenantId: message.tenantId,
      agentId: connector.agentId,
      executionId,
      trigger: triggerOf(connector),
      inputFor: async (parameters, { useSession }) => {
        const isTold = useSession && declaresHistory(parameters);
        return chatInput(parameters, message.message, isTold ? await listBefore() : undefined);
      },
      sessionFor: async ({ useSession, parametersMetadata }) =>
        useSession && !declaresHistory(parametersMetadata) ? listBefore() : undefined,
    },
  );
};

const triggerOf = ({ id, provider }: Pick<ConnectorItem, "id" | "provider">): Trigger => ({
  type: triggerTypes.connector,
  id,
  provider,
});

/** Whether an agent makes of the conversation what it likes; else its Prompts are told. */
const declaresHistory = (parameters: readonly ParameterDescriptor[]): boolean =>
  parameters.some(({ name }) => name === "history");

const usesSession = async (
  { db, loadRevision }: ExecutionDeps,
  { tenantId, agentId }: Place,
  { item }: WholeExecution,
): Promise<boolean> => {
  const agent: AgentItem | undefined = await getAgent(db, tenantId, agentId);
  const revision = agent && (await loadRevision(tenantId, agent, item.agentRevision));
  return revision?.content.useSession ?? false;
};
