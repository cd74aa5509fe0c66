import type { Consumer } from "../../lib/edge/consumer.ts";
import type { Access, Route } from "../../lib/edge/route.ts";
import type { Scheduled } from "../../lib/edge/scheduled.ts";
import { toGatewayPath } from "../../lib/platform/http/gateway-path.ts";
import type { Method } from "../../lib/platform/http/row.ts";
import type { QueueName } from "../../lib/platform/queue/queues.ts";

/**
 * A handler's file, relative to the repository, its verb ("" for none), and whether it exports a StreamHandler.
 */
export type HandlerFile = { verb: string; file: string; streams?: boolean };

/** Properties of every Lambda function. */
export type FunctionRecord = {
  /** kebab-case: the operation, or the operations joined. */
  name: string;
  /** Folder under `functions/`. */
  group: string;
  /** One file, or several selected by the verb of the last path parameter. */
  handlers: readonly HandlerFile[];
  access: Access;
  timeoutSeconds: number;
  /** Default: 1,024. */
  memoryMegabytes?: number;
};

/** A function behind the gateway. */
export type HttpFunctionRecord = FunctionRecord & {
  rows: readonly Route[];
  /** The gateway's resource, its variables named by position. */
  resource: string;
  method: Method;
  /** Whether the function streams its responses, including those of rows that do not stream. */
  streaming: boolean;
};

/** A function behind a queue. */
export type WorkerRecord = FunctionRecord & {
  queue: QueueName;
  batchSize: number;
  concurrencyWeight: number;
  maxConcurrency?: number;
  tenantConcurrency: number;
};

/** A function invoked on a schedule. */
export type ScheduleRecord = FunctionRecord & { everyMinutes: number };

/**
 * Returns the functions behind the gateway. Rows with the same gateway resource and method share a function;
 * every other row has its own.
 */
export const toHttpFunctions = (routes: readonly Route[]): HttpFunctionRecord[] => {
  const shared = Map.groupBy(
    routes,
    ({ path, method }) => `${method} ${toGatewayPath(path).resource}`,
  );
  return [...shared.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const rows = [first, ...others];
    return [
      {
        name: joinedName(rows.map(({ operation }) => operation)),
        group: first.group,
        handlers: rows.map(({ path, group, operation, streaming }) => ({
          verb: toGatewayPath(path).verb,
          file: `functions/${group}/${operation}.ts`,
          streams: streaming !== undefined,
        })),
        access: rows.map(({ access }) => access).reduce(mergeAccess),
        timeoutSeconds: Math.max(...rows.map(({ timeoutSeconds }) => timeoutSeconds)),
        rows,
        resource: toGatewayPath(first.path).resource,
        method: first.method,
        streaming: rows.some(({ streaming }) => streaming !== undefined),
      },
    ];
  });
};

/** Returns the functions behind the queues: one per consumer. */
export const toWorkers = (consumers: readonly Consumer[]): WorkerRecord[] =>
  consumers.map(
    ({
      operation,
      queue,
      access,
      timeoutSeconds,
      memoryMegabytes,
      batchSize = 1,
      concurrencyWeight,
      maxConcurrency,
      tenantConcurrency,
    }) => ({
      name: operation,
      group: "workers",
      handlers: [{ verb: "", file: `functions/workers/${operation}.ts` }],
      access,
      timeoutSeconds,
      queue,
      batchSize,
      concurrencyWeight,
      tenantConcurrency,
      ...(memoryMegabytes !== undefined && { memoryMegabytes }),
      ...(maxConcurrency !== undefined && { maxConcurrency }),
    }),
  );

/** Returns the functions invoked on a schedule: one per job. */
export const toScheduledFunctions = (jobs: readonly Scheduled[]): ScheduleRecord[] =>
  jobs.map(({ operation, everyMinutes, access, timeoutSeconds }) => ({
    name: operation,
    group: "workers",
    handlers: [{ verb: "", file: `functions/workers/${operation}.ts` }],
    access,
    timeoutSeconds,
    everyMinutes,
  }));

/** Returns the methods by verb of each gateway resource, which functions use for 405 and `Allow`. */
export const methodsByResource = (
  functions: readonly HttpFunctionRecord[],
): ReadonlyMap<string, Record<string, Method[]>> => {
  const byResource = new Map<string, Record<string, Method[]>>();
  for (const { resource, method, handlers } of functions) {
    const methods = byResource.get(resource) ?? {};
    byResource.set(resource, methods);
    for (const { verb } of handlers) {
      const known = [...(methods[verb] ?? []), method];
      methods[verb] = methodOrder.filter((method) => known.includes(method));
    }
  }
  return byResource;
};

const methodOrder: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** `approve-request` and `reject-request` become `approve-or-reject-request`. */
const joinedName = (operations: readonly string[]): string => {
  const words = operations.map((operation) => operation.split("-"));
  const longestTail = Math.min(...words.map(({ length }) => length)) - 1;
  const first = words[0] ?? [];
  let tail = 0;
  while (tail < longestTail && words.every((word) => word.at(-1 - tail) === first.at(-1 - tail))) {
    tail += 1;
  }
  const heads = words.map((word) => word.slice(0, word.length - tail).join("-"));
  return [heads.join("-or-"), ...first.slice(first.length - tail)].join("-");
};

const mergeAccess = (left: Access, right: Access): Access => ({
  table: stronger("write", left.table, right.table),
  bucket: stronger("write", left.bucket, right.bucket),
  vectors: stronger("write", left.vectors, right.vectors),
  secrets: stronger("seal", left.secrets, right.secrets),
  publishes: [...new Set([...(left.publishes ?? []), ...(right.publishes ?? [])])],
  ...((left.models || right.models) && { models: true }),
  ...((left.sources || right.sources) && { sources: true }),
  ...((left.mails || right.mails) && { mails: true }),
  ...((left.schedules || right.schedules) && { schedules: "write" }),
  ...((left.issuer || right.issuer) && { issuer: true }),
});

const stronger = <Level extends string>(
  strongest: Level,
  left: Level | undefined,
  right: Level | undefined,
): Level | undefined => (left === strongest ? left : (right ?? left));
