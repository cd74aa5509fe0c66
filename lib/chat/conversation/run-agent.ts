import { loadDeployed, missingDetails } from "../../agents/revision/load-deployed.ts";
import { nameChatUser } from "../../approvals/person.ts";
import type { ExecutionDeps } from "../../executions/job/job.ts";
import { renewalMs } from "../../executions/lease/execution-lease.ts";
import { type ExecutionKey, toExecutionKey } from "../../executions/record/keys.ts";
import { type RunOutcome, readOutcome } from "../../executions/record/results.ts";
import { getExecution } from "../../executions/record/store.ts";
import { isDormant } from "../../executions/record/waiting-store.ts";
import { continueExecutions } from "../../executions/recover/continue-executions.ts";
import { toFinalOutcome } from "../../executions/run/run-context.ts";
import { startRun } from "../../executions/run/run-execution.ts";
import { triggerTypes } from "../../executions/schemas.ts";
import {
  planTriggered,
  recordRefusal,
  toSessionRefusal,
} from "../../executions/start/start-triggered.ts";
import { LeasedElsewhereError } from "../../platform/queue/leased-elsewhere.ts";
import { deriveChatUserId } from "../chat-user/id.ts";
import type { ConnectorItem } from "../connector/items.ts";
import { type AttachedFiles, attachFiles } from "./attach-files.ts";
import type { AttachmentNotice } from "./attachment-notice.ts";
import { toConversationSession } from "./conversation-session.ts";
import { chatInput } from "./input.ts";
import { removeAttachedFiles, removeAttachments } from "./remove-attachments.ts";
import type { PlacedMessage } from "./reply-store.ts";

/**
 * Outcome of running an agent; `refused` is the reason why it did not run, `waiting` has its execution not ended, and "noticed"
 * is of a message without anything to run with, which gets the notice as its reply.
 */
export type ChatRunResult =
  | { end: RunOutcome }
  | { refused: string }
  | "gone"
  | "waiting"
  | "noticed";

const firstPauseMs = 100;
const maxPauseMs = 2_000;
/** A run that has not renewed its lease for this time is dead; one that lives renews it twice. */
const deadAfterMs = 2 * renewalMs;
/** With less time left, a run would be handed over right after its start. */
const shortestRunMs = 60_000;

type RunOptions = {
  executionId: string;
  /** When to stop waiting, Unix milliseconds. */
  until: number;
  /** Whether an earlier attempt may have started the execution. */
  isRepeated: boolean;
  /** Receives what the reply must say of the message's attachments, before the execution starts. */
  onNotice: (notice: AttachmentNotice) => Promise<void>;
};

/**
 * Runs a connector's agent on a message and waits for the end, once per `executionId`. "gone" when the agent was
 * deleted, "waiting" when the execution waits for something, or for its turn in its session; throws when time runs out before the end.
 */
export const runAgent = async (
  deps: ExecutionDeps,
  {
    connector,
    placed,
    executionId,
    until,
    isRepeated,
    onNotice,
  }: {
    connector: ConnectorItem;
    placed: PlacedMessage;
  } & RunOptions,
): Promise<ChatRunResult> => {
  const { tenantId } = placed.message;
  const ref = { tenantId, agentId: connector.agentId, executionId };
  const started = isRepeated ? await find(deps, ref) : undefined;
  const outcome = started
    ? toExecutionKey(started.item)
    : await runHere(deps, connector, placed, { executionId, until, onNotice });
  return typeof outcome === "object" && "executionId" in outcome
    ? waitForEnd(deps, outcome, until)
    : outcome;
};

/**
 * Waits for the end of an execution that another run holds; "gone" when the agent was deleted. Throws LeasedElsewhereError
 * when that run is dead.
 */
const waitForEnd = async (
  deps: ExecutionDeps,
  key: ExecutionKey,
  until: number,
): Promise<ChatRunResult> => {
  const { tenantId } = key;
  const neverAborted = new AbortController().signal;
  let seen = { leaseUntil: 0, at: 0 };
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    // Takes over the execution when its worker died and the lease expired.
    if (deps.runtime.clock() < until - shortestRunMs) {
      await continueExecutions(deps, { message: { tenantId, runs: [key] }, deadline: until });
    }
    const execution = await find(deps, key);
    if (!execution) return "gone";
    const end = await readOutcome(deps, execution);
    if (end) return { end };
    if (isDormant(execution)) return "waiting";
    const now = deps.runtime.clock();
    const leaseUntil = execution.lease?.leaseUntil ?? 0;
    if (leaseUntil !== seen.leaseUntil) seen = { leaseUntil, at: now };
    const isDead = execution.lease?.owner && now - seen.at > deadAfterMs;
    if (isDead && leaseUntil > now) throw new LeasedElsewhereError(leaseUntil);
    if (now + pauseMs > until) {
      throw new Error(`execution ${key.executionId} is still running`);
    }
    await deps.sleep(pauseMs, neverAborted);
  }
};

const find = ({ db }: ExecutionDeps, { tenantId, agentId, executionId }: ExecutionKey) =>
  getExecution(db, tenantId, agentId, executionId);

type Refused = Parameters<typeof recordRefusal>[1];

/** Records a refusal. Nothing is left of the attachments, unless another attempt has started the execution. */
const refuseMessage = async (
  deps: ExecutionDeps,
  refused: Refused,
  { files }: Pick<AttachedFiles, "files">,
): Promise<void> => {
  if (!(await recordRefusal(deps, refused))) return;
  await removeAttachedFiles(deps, { tenantId: refused.cause.tenantId, files });
};

/**
 * Starts the execution and runs it; returns its key when another run holds or continues it. Not sent to the executions
 * queue: running it here keeps the order of the conversation. Records a refusal.
 */
const runHere = async (
  deps: ExecutionDeps,
  connector: ConnectorItem,
  { message }: PlacedMessage,
  { executionId, until, onNotice }: Omit<RunOptions, "isRepeated">,
): Promise<Exclude<ChatRunResult, "gone"> | ExecutionKey> => {
  const { tenantId } = message;
  const { id, agentId, provider } = connector;
  const loaded = await loadDeployed(deps, { tenantId, agentId });
  if ("missing" in loaded) {
    await removeAttachments(deps, message);
    return { refused: missingDetails[loaded.missing] };
  }
  const { useSession, parametersMetadata } = loaded.revision.content;
  const session = useSession ? toConversationSession(id, message.message) : undefined;
  const cause = {
    tenantId,
    executionId,
    trigger: { type: triggerTypes.connector, id, provider },
    traceContext: message.traceContext,
    chatUser: nameChatUser(deriveChatUserId(id, message.message.user.id)),
  };
  const parameters = parametersMetadata;
  const attached = await attachFiles(deps, { connector, message, parameters, executionId, until });
  const refuse = (refusal: Refused["refusal"]) =>
    refuseMessage(deps, { deployed: loaded, cause, refusal }, attached);
  if (attached.notice) await onNotice(attached.notice);
  if (attached.refusal !== undefined) {
    const refusal = { slug: "execution-failed", detail: attached.refusal } as const;
    const takesFiles = parameters.some(({ type }) => type === "File");
    if (takesFiles) await refuse(refusal);
    return "noticed";
  }
  const input = { ...chatInput(parameters, message.message), ...attached.input };
  const fileReader = { creator: { type: "Connector", id } } as const;
  const plan = await planTriggered(deps, {
    deployed: loaded,
    request: { ...cause, input, session, fileReader },
  });
  const started =
    "refusal" in plan
      ? plan
      : await startRun(deps, { plan, deadline: until, inBackground: true }).catch(
          (error: unknown) => ({ refusal: toSessionRefusal(error) }),
        );
  if ("refusal" in started) {
    const { refusal } = started;
    await refuse(refusal);
    return { refused: refusal.detail };
  }
  const { item, run } = started;
  const end = await run?.ended;
  if (end !== undefined && end !== "open" && "waitsUntil" in end) return "waiting";
  const ended = end && toFinalOutcome(end);
  if (!ended) return toExecutionKey(item);
  return { end: ended };
};
