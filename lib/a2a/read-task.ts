import { findWait } from "../approvals/find-wait.ts";
import { isReader } from "../executions/read/read-execution.ts";
import type { ExecutionRecord, StoredExecution } from "../executions/record/execution-record.ts";
import { getKeptExecution } from "../executions/record/store.ts";
import { readEnd, readInput, type Storage } from "../executions/record/values.ts";
import { type ExecutionError, finalStatuses } from "../executions/schemas.ts";
import type { FilesPlace } from "../files/output-files.ts";
import { describeFoundWait } from "../mcp/describe-wait.ts";
import type { RefusedCall } from "../mcp/offer.ts";
import { isUuid } from "../platform/http/ids.ts";
import { maxResponseBytes, responseBytes } from "../platform/http/response-size.ts";
import type { TenantContext } from "../tenancy/tenant/context.ts";
import { parseJson } from "../values/json/parse-json.ts";
import { jsonType, type OutputModes, textType, toOutputParts } from "./output-modes.ts";
import { noTask } from "./problems.ts";
import { toParts } from "./read-message.ts";
import type { A2aPart, A2aTask, Message } from "./schemas.ts";
import { metadataNames, nameTask, type TaskNames, toTask } from "./to-task.ts";

/** The caller of a task. */
export type TaskCaller = Pick<TenantContext, "tenant" | "principal" | "clock" | "baseUrl">;

/** Options of reading a task. */
export type TaskView = {
  /** Most messages of its history; undefined for all. */
  historyLength?: number | null | undefined;
  hasArtifacts?: boolean;
  modes?: OutputModes;
};

const readScope = "executions:read";

/** Reads the execution of a task. Throws 404, also for one that the caller may not read. */
export const findTask = async (
  { db }: Pick<Storage, "db">,
  { ctx, agentId, id }: { ctx: TaskCaller; agentId: string; id: string },
): Promise<StoredExecution> => {
  const { tenant, principal, clock } = ctx;
  const key = { agentId, executionId: id.toLowerCase(), now: clock() };
  const found = isUuid(id) ? await getKeptExecution(db, tenant.id, key) : undefined;
  if (!found || !isReader(principal, readScope, found.item.trigger)) throw noTask(id);
  return found;
};

/** Returns the names of a stored execution's task. */
export const nameStored = ({
  id,
  session,
  metadata = {},
}: Pick<ExecutionRecord, "id" | "session" | "metadata">): TaskNames =>
  nameTask({ executionId: id, session }, metadata[metadataNames.contextId]);

/** Builds the task of a stored execution, with its output, what it waits for or why it failed. */
export const readTask = async (
  storage: Storage,
  {
    ctx,
    execution,
    view: { historyLength, hasArtifacts = true, modes } = {},
  }: {
    ctx: Pick<TaskCaller, "tenant" | "principal" | "baseUrl" | "clock">;
    execution: StoredExecution;
    view?: TaskView;
  },
): Promise<A2aTask> => {
  const { item } = execution;
  const names = nameStored(item);
  const isDone = finalStatuses.has(item.status);
  const isRead = hasArtifacts || item.errorType !== null;
  const place = { baseUrl: ctx.baseUrl, tenantId: ctx.tenant.id };
  const [history, note, end] = await Promise.all([
    historyLength === 0 ? undefined : readHistory(storage, { execution, names, place }),
    item.status === "Waiting" ? describeStored(storage, { ctx, execution }) : undefined,
    isDone && isRead ? readEnd(storage, execution, { needsTrace: false }) : undefined,
  ]);
  const isShown = item.status === "Succeeded" && hasArtifacts;
  const output = isShown ? toOutputParts(end?.output, { modes, place }) : undefined;
  return toTask(
    { ...item, executionId: item.id },
    {
      names,
      errorType: item.errorType,
      note: end?.error ? explain(end.error) : note,
      output: output?.map(fitPart),
      history,
    },
  );
};

/** Largest output in a response, in bytes. */
const maxOutputBytes = maxResponseBytes - 1_000_000;

/** Returns a part, or a note in its place where a response has no room for it. */
const fitPart = (part: A2aPart): A2aPart => {
  const bytes = responseBytes(part);
  if (bytes <= maxOutputBytes) return part;
  return {
    text: `The output has ${bytes} bytes, which a response has no room for. Read the execution record.`,
    mediaType: textType,
  };
};

/** Returns the message of a task that failed. */
export const explain = ({ detail }: Pick<ExecutionError, "detail">): A2aPart[] => [
  { text: detail, mediaType: textType },
];

const readHistory = async (
  storage: Storage,
  { execution, names, place }: { execution: StoredExecution; names: TaskNames; place: FilesPlace },
): Promise<Message[]> => {
  const { input } = await readInput(storage, execution);
  const { metadata = {}, id } = execution.item;
  const messageId = metadata[metadataNames.messageId] ?? id;
  // An input without values is not a message, or is not checked yet.
  if (Object.keys(input).length === 0) return [];
  return [{ messageId, ...names, role: "ROLE_USER", parts: toParts(input, place) }];
};

/** Describes what a stored execution waits for; undefined where that is not known. */
const describeStored = async (
  { db }: Storage,
  {
    ctx: { tenant, principal, baseUrl, clock },
    execution,
  }: {
    ctx: Pick<TaskCaller, "tenant" | "principal" | "baseUrl" | "clock">;
    execution: StoredExecution;
  },
): Promise<A2aPart[] | undefined> => {
  const { item } = execution;
  const waiting = { agentId: item.agentId, executionId: item.id };
  const described = describeFoundWait(
    { tenantId: tenant.id, principal, baseUrl, execution: waiting },
    await findWait(db, { execution, now: clock() }),
  );
  return described && toWaitParts(described);
};

/** Formats what an execution waits for: as a text, and as data. */
export const toWaitParts = ({ detail, value }: RefusedCall): A2aPart[] => {
  const data = parseJson(JSON.stringify(value ?? null));
  return [
    { text: detail, mediaType: textType },
    ...(data.ok ? [{ data: data.value, mediaType: jsonType }] : []),
  ];
};
