import { credentialsFor, newLocalSecret } from "./access/credentials.ts";
import type { DataFolder } from "./data-folder.ts";
import { type ClockPace, startClock } from "./events/clock.ts";
import { startPoller } from "./events/poller.ts";
import { createFunctions } from "./functions/functions.ts";
import { startGateway } from "./gateway/gateway.ts";
import { jwksOf, loadIssuerKey } from "./issuer.ts";
import { operator, operatorStatements } from "./operator.ts";
import type { Prepared } from "./prepare/prepare.ts";
import { StopError } from "./stop-error.ts";
import { awsCaller } from "./storage/aws-call.ts";
import { type Engine, startEngine } from "./storage/dynoxide.ts";
import { jwksPath } from "./storage/endpoint.ts";
import { startStorageThread } from "./storage/start-storage-thread.ts";
import { ensureTable, partitionKeysOf } from "./storage/table.ts";
import { createUpstream } from "./storage/upstream.ts";
import { readAssembly } from "./template/assembly.ts";
import { type Model, readModel } from "./template/model.ts";

/** A running local stack. */
export type LocalStack = {
  port: number;
  /** Number of requests under way. */
  underWay: () => number;
  /** Base URL of the local AWS services, through which functions are checked and counted. */
  services: string;
  /** Made at this start: `credentialsFor` makes the callers' credentials of it. */
  secret: string;
  /** Where DynamoDB itself answers, unchecked. */
  dynamodbEndpoint: string;
  /** Name of the table. */
  table: string;
  /** Directory of the templates that it runs. */
  assembly: string;
  /** Resolves, with the reason, when a part that the stack cannot do without ends by itself. */
  died: Promise<string>;
  /** Starts threads of functions while nobody is waiting, those that answer `requests` first. */
  prewarm: (requests: readonly string[]) => void;
  /** Finishes the requests and batches under way, then stops everything. */
  close: () => Promise<void>;
};

/** What a stack is started with. */
export type StackOptions = {
  folder: DataFolder;
  host: string;
  port: number;
  dynamodbEndpoint?: string | undefined;
  /** Whether functions verify user tokens against the local issuer's keys. */
  ownIssuer: boolean;
  /** Resolves when the templates and the bundles are there. */
  prepared: Promise<Prepared>;
  /** Requests that are expected at once, as `POST /v1/tenants`: their functions are started at once. */
  expected?: readonly string[];
  /** For tests: the pace of the clock that starts scheduled functions, in place of the rules' own. */
  clock?: ClockPace | "stopped" | undefined;
  /** For tests: gets the address of the local services, and returns the one that functions and pollers are given. */
  via?: ((services: string) => Promise<string>) | undefined;
  /** For tests: how long all that is under way may take when the stack stops, in milliseconds. */
  patience?: number;
  /** Gets the lines that the user should see. */
  tell: (line: string) => void;
};

/** How long all that is under way may take when the stack stops, in milliseconds. */
const ordinaryPatience = 30_000;

/** The first run is soon, but after what a user does first. */
const ordinaryPace: ClockPace = { first: 3_000 };

/** What is left of the patience, which begins with the first question. */
const patienceOf = (milliseconds: number): (() => number) => {
  let end: number | undefined;
  return () => {
    end ??= Date.now() + milliseconds;
    return Math.max(0, end - Date.now());
  };
};

type Closers = (() => Promise<void>)[];

/** Runs a synthesized assembly; whatever fails, nothing is left running. */
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
  const { folder, tell } = options;
  const storage = startStorageThread(tell);
  closers.push(storage.close);
  const starting = options.dynamodbEndpoint === undefined ? startEngine(folder) : undefined;
  closers.push(() => closeEngine(starting));
  const [engine, key, prepared] = await Promise.all([
    starting,
    loadIssuerKey(folder.issuerKey),
    options.prepared,
  ]);
  const dynamodbEndpoint = options.dynamodbEndpoint ?? engine?.endpoint ?? "";

  const assembly = readAssembly(prepared.assembly);
  const model = readModel(assembly, "http://127.0.0.1");
  const secret = newLocalSecret();
  await ensureTables(model, dynamodbEndpoint, secret);
  const services = await storage.configure({
    dataDirectory: folder.queuesAndBuckets,
    queues: model.queues,
    buckets: model.buckets,
    keys: model.keys,
    keyFile: folder.kmsKeys,
    outboxDirectory: folder.outbox,
    scheduler: model.scheduler,
    scheduleFile: folder.schedules,
    isClockRunning: options.clock !== "stopped",
    partitionKeys: partitionKeysOf(model.tables),
    statements: new Map([
      ...model.functions.map((fn) => [fn.name, fn.statements] as const),
      ...model.scheduler.roles.map((role) => [role.name, role.statements] as const),
      [operator, operatorStatements],
    ]),
    dynamodbEndpoint,
    secret,
    jwks: jwksOf(key),
  });

  const reached = (await options.via?.(services)) ?? services;
  const jwksUrl = options.ownIssuer ? `${services}${jwksPath}` : undefined;
  const functions = createFunctions({
    functions: readModel(assembly, reached).functions,
    endpoints: { services: reached, secret, jwksUrl },
    script: prepared.threadScript,
    logDirectory: folder.logs,
    compileCache: prepared.compileCache,
    tell,
  });
  const patience = patienceOf(options.patience ?? ordinaryPatience);
  closers.push(() => functions.close(patience()));
  const stopping: ((patience: number) => Promise<void>)[] = [];
  closers.push(async () => {
    await Promise.all(stopping.map((stop) => stop(patience())));
  });
  const pollers = model.eventSources.map((source) =>
    startPoller({ source, endpoint: reached, secret, invoke: functions.invoke, tell }),
  );
  stopping.push(...pollers.map((poller) => poller.close));
  const { host, port } = options;
  const gateway = await startGateway({ api: model.api, host, port, invoke: functions.invoke });
  stopping.push(gateway.close);
  if (options.clock !== "stopped") {
    const pace = options.clock ?? ordinaryPace;
    const clocks = model.schedules.map((schedule) =>
      startClock({ schedule, pace, invoke: functions.invoke }),
    );
    stopping.push(...clocks.map((clock) => clock.close));
  }
  for (const request of options.expected ?? []) functions.warm(gateway.functionOf(request));
  const prewarming = new AbortController();
  closers.push(async () => prewarming.abort());
  return {
    port: gateway.port,
    underWay: gateway.underWay,
    services,
    secret,
    dynamodbEndpoint,
    table: model.tables[0]?.name ?? "",
    assembly: prepared.assembly,
    died: Promise.race([storage.died, ...(engine ? [engine.died] : [])]),
    prewarm: (requests) => {
      functions
        .prewarm(requests.map(gateway.functionOf), () => gateway.underWay() > 0, prewarming.signal)
        .catch((error: unknown) => tell(`a function cannot be started: ${String(error)}`));
    },
  };
};

const closeEngine = async (starting: Promise<Engine> | undefined): Promise<void> => {
  const engine = await starting?.catch(() => undefined);
  await engine?.close();
};

const ensureTables = async ({ tables }: Model, endpoint: string, secret: string): Promise<void> => {
  const upstream = createUpstream(endpoint);
  const call = awsCaller(upstream, "dynamodb", credentialsFor(secret, "local-stack"));
  try {
    for (const table of tables) await ensureTable(call, table);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new StopError(
      `DynamoDB does not answer at ${endpoint} (${error.message}). Start it, or unset DYNAMODB_ENDPOINT.`,
    );
  } finally {
    upstream.close();
  }
};
