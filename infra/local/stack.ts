import { Pool } from "undici";
import { awsCaller } from "./access/aws-call.ts";
import { createSharedCounts } from "./access/call-counts.ts";
import { createLocalSecret, credentialsFor } from "./access/credentials.ts";
import { compactHeap } from "./compact-heap.ts";
import type { DataFolder } from "./data-folder.ts";
import { type ClockPace, startClock } from "./events/clock.ts";
import { startPoller } from "./events/poller.ts";
import { createFunctions, type Invoke } from "./functions/functions.ts";
import { startGateway } from "./gateway/gateway.ts";
import type { LocalHandler } from "./gateway/local-handler.ts";
import { loadIssuerKey, toJwks } from "./issuer.ts";
import { operator, operatorStatements } from "./operator.ts";
import type { Prepared } from "./prepare/prepare.ts";
import { StopError } from "./stop-error.ts";
import { type Engine, startEngine } from "./storage/dynoxide.ts";
import { jwksPath } from "./storage/endpoint.ts";
import { startStorageThread } from "./storage/start-storage-thread.ts";
import { ensureTable, mapPartitionKeys } from "./storage/table.ts";
import { readAssembly } from "./template/assembly.ts";
import { type Model, readModel, readModelFunctions } from "./template/model.ts";

/** A running local stack. */
export type LocalStack = {
  port: number;
  /** Number of requests in progress. */
  inFlight: () => number;
  /** Base URL of the local AWS services, which authorize and count calls. */
  services: string;
  /** Secret of this start, from which `credentialsFor` derives credentials. */
  secret: string;
  /** Endpoint of the DynamoDB engine, without authorization. */
  dynamodbEndpoint: string;
  /** Name of the table. */
  table: string;
  /** Directory of the cloud assembly. */
  assembly: string;
  /** Resolves with the reason when an essential part fails. */
  died: Promise<string>;
  /** Keeps only the functions of these requests started, when no other is in use, and frees the memory of the start. */
  keepWarm: (requests: readonly string[]) => void;
  /** Names of the functions that are started. */
  startedFunctions: () => string[];
  /** Completes requests and batches in progress, then stops everything. */
  close: () => Promise<void>;
};

/** Options of a local stack. */
export type StackOptions = {
  folder: DataFolder;
  host: string;
  port: number;
  dynamodbEndpoint?: string | undefined;
  /** Whether functions verify user tokens against the local issuer's keys. */
  ownIssuer: boolean;
  /** Resolves when templates and bundles exist. */
  prepared: Promise<Prepared>;
  /** Requests expected first, such as `POST /v1/tenants`: their functions start immediately. */
  expected?: readonly string[];
  /** For tests: the pace of scheduled functions; by default that of the rules. */
  clock?: ClockPace | "stopped" | undefined;
  /** For tests: a table that ends with the stack; a write takes half of the processor time of one to a file. */
  table?: "memory" | undefined;
  /** For tests: milliseconds after which an idle thread is terminated. Starting one takes a third of a second of processor time. */
  idleMs?: number | undefined;
  /** For tests: milliseconds in which messages gather for a batch. */
  gatherMs?: number | undefined;
  /** For tests: maps the base URL of the local services to the one that functions and pollers use. */
  via?: ((services: string) => Promise<string>) | undefined;
  /** For tests: wraps what invokes the functions, to observe it. */
  observe?: ((invoke: Invoke) => Invoke) | undefined;
  /** Responds to requests that are not the API's, such as those of the console. */
  local?: LocalHandler | undefined;
  /** For tests: time in milliseconds for work in progress to complete when the stack stops. */
  gracePeriod?: number;
  /** Prints a line to the console. */
  print: (line: string) => void;
};

/** Milliseconds for work in progress to complete when the stack stops. */
const defaultGracePeriod = 30_000;

/**
 * Delays the first runs until after a user's first requests, and spreads the starts of functions.
 */
const defaultPace: ClockPace = { first: 3_000, apart: 300 };

/** Returns the milliseconds left since its first call. */
const countdown = (milliseconds: number): (() => number) => {
  let end: number | undefined;
  return () => {
    end ??= Date.now() + milliseconds;
    return Math.max(0, end - Date.now());
  };
};

/** Resolves with the reason when the promise rejects, otherwise never. */
const waitForFailure = (work: Promise<unknown>): Promise<string> =>
  new Promise((resolve) => {
    work.catch((error: unknown) => resolve(error instanceof Error ? error.message : String(error)));
  });

type Closers = (() => Promise<void>)[];

/** Runs a synthesized assembly. Stops everything when a part fails to start. */
export const startStack = async (options: StackOptions): Promise<LocalStack> => {
  const closers: Closers = [];
  const close = async (): Promise<void> => {
    for (let last = closers.pop(); last; last = closers.pop()) await last();
  };
  try {
    return { ...(await start(options, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
};

const start = async (
  options: StackOptions,
  closers: Closers,
): Promise<Omit<LocalStack, "close">> => {
  const { folder, print } = options;
  const storage = startStorageThread(print);
  closers.push(storage.close);
  const starting =
    options.dynamodbEndpoint === undefined ? startEngine(folder, options.table) : undefined;
  closers.push(() => closeEngine(starting));
  const [engine, key, prepared] = await Promise.all([
    starting,
    loadIssuerKey(folder.issuerKey),
    options.prepared,
  ]);
  const dynamodbEndpoint = options.dynamodbEndpoint ?? engine?.endpoint ?? "";

  const assembly = readAssembly(prepared.assembly);
  const model = readModel(assembly, "http://127.0.0.1");
  const secret = createLocalSecret();
  await ensureTables(model, dynamodbEndpoint, secret);
  const partitionKeys = mapPartitionKeys(model.tables);
  const counts = createSharedCounts(model.functions.map(({ name }) => name));
  const services = await storage.configure({
    dataDirectory: folder.queuesAndBuckets,
    queues: model.queues,
    buckets: model.buckets,
    vectorBuckets: model.vectorBuckets,
    vectorDirectory: folder.vectors,
    keys: model.keys,
    keyFile: folder.kmsKeys,
    outboxDirectory: folder.outbox,
    scheduler: model.scheduler,
    scheduleFile: folder.schedules,
    isClockRunning: options.clock !== "stopped",
    partitionKeys,
    statements: mapStatements(model),
    dynamodbEndpoint,
    sharedCounts: counts,
    secret,
    jwks: toJwks(key),
  });

  const reached = (await options.via?.(services)) ?? services;
  const jwksUrl = options.ownIssuer ? `${services}${jwksPath}` : undefined;
  const functions = createFunctions({
    functions: readModelFunctions(assembly, reached),
    endpoints: { services: reached, secret, jwksUrl },
    engineRoute: engine && { services, engine: engine.endpoint, partitionKeys, counts },
    script: prepared.threadScript,
    logDirectory: folder.logs,
    compileCache: prepared.compileCache,
    built: prepared.built,
    idleMs: options.idleMs,
    print,
  });
  const invoke = options.observe?.(functions.invoke) ?? functions.invoke;
  const gracePeriod = countdown(options.gracePeriod ?? defaultGracePeriod);
  closers.push(() => functions.close(gracePeriod()));
  const stopping: ((gracePeriod: number) => Promise<void>)[] = [];
  closers.push(async () => {
    await Promise.all(stopping.map((stop) => stop(gracePeriod())));
  });
  const pollers = model.eventSources.map((source) =>
    startPoller({ source, endpoint: reached, secret, invoke, gatherMs: options.gatherMs, print }),
  );
  stopping.push(...pollers.map((poller) => poller.close));
  const { host, port, local } = options;
  const gateway = await startGateway({ api: model.api, host, port, invoke, local });
  stopping.push(gateway.close);
  if (options.clock !== "stopped") {
    const { first, apart = 0, every } = options.clock ?? defaultPace;
    const { release } = functions;
    const clocks = model.schedules.map((schedule, at) =>
      startClock({ schedule, pace: { first: first + at * apart, every }, invoke, release }),
    );
    stopping.push(...clocks.map((clock) => clock.close));
  }
  for (const request of options.expected ?? []) functions.warm(gateway.findFunction(request));
  const prewarming = new AbortController();
  closers.push(async () => prewarming.abort());
  return {
    port: gateway.port,
    inFlight: gateway.inFlight,
    services,
    secret,
    dynamodbEndpoint,
    table: model.tables.at(-1)?.name ?? "",
    assembly: prepared.assembly,
    died: Promise.race([
      storage.died,
      ...(engine ? [engine.died] : []),
      waitForFailure(prepared.complete),
    ]),
    startedFunctions: functions.started,
    keepWarm: (requests) => {
      functions
        .keepWarm(
          requests.map(gateway.findFunction),
          () => gateway.inFlight() > 0,
          prewarming.signal,
        )
        .then(() => {
          storage.compact();
          compactHeap();
        })
        .catch((error: unknown) => print(`cannot start a function: ${String(error)}`));
    },
  };
};

/** Returns the policy statements of all callers. */
const mapStatements = ({ functions, scheduler }: Model) =>
  new Map([
    ...functions.map((fn) => [fn.name, fn.statements] as const),
    ...scheduler.roles.map((role) => [role.name, role.statements] as const),
    [operator, operatorStatements],
  ]);

const closeEngine = async (starting: Promise<Engine> | undefined): Promise<void> => {
  const engine = await starting?.catch(() => undefined);
  await engine?.close();
};

const ensureTables = async ({ tables }: Model, endpoint: string, secret: string): Promise<void> => {
  const engine = new Pool(endpoint);
  const call = awsCaller(engine, "dynamodb", credentialsFor(secret, "local-stack"));
  try {
    for (const table of tables) await ensureTable(call, table);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new StopError(
      `DynamoDB is not reachable at ${endpoint} (${error.message}). Start it, or unset DYNAMODB_ENDPOINT.`,
    );
  } finally {
    await engine.destroy();
  }
};
