import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import http from "node:http";
import { enableCompileCache, flushCompileCache } from "node:module";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { compactHeap } from "../compact-heap.ts";
import { logDelayMilliseconds } from "./log-delay.ts";
import type {
  FunctionThreadCommand,
  FunctionThreadData,
  FunctionThreadMessage,
  Invocation,
} from "./messages.ts";
import {
  awslambda,
  createResponseStream,
  isStreaming,
  type ResponseStream,
} from "./response-stream.ts";
import { routeToEngine } from "./route-to-engine.ts";

/*
 * The thread of one function. Compiled into a single script with few imports, so that a thread starts without
 * stripping types or parsing unneeded modules.
 */

const data: FunctionThreadData = workerData;
const send = (message: FunctionThreadMessage): void => parentPort?.postMessage(message);

const largestLog = 5_000_000;
const longestAlarm = 100_000;
/** Delay before compiled code is written to the compile cache for the next start. */
const cacheAfterMilliseconds = 5_000;

/** Characters of the log that are kept while the disk is full. */
const longestPending = 1_000_000;

let log: number | undefined;
let logSize = 0;
let pending = "";
let timer: NodeJS.Timeout | undefined;

const openLog = (): number => {
  log = openSync(data.logFile, "a");
  logSize = fstatSync(log).size;
  return log;
};

const writePending = (): void => {
  let file = log ?? openLog();
  if (logSize > largestLog) {
    closeSync(file);
    log = undefined;
    renameSync(data.logFile, `${data.logFile}.1`);
    file = openLog();
  }
  logSize += writeSync(file, pending);
  pending = "";
};

/** Writes the log. What a full disk does not take is written later: a log fails no function. */
const flush = (): void => {
  clearTimeout(timer);
  timer = undefined;
  if (pending === "") return;
  try {
    writePending();
  } catch {
    pending = pending.slice(-longestPending);
  }
};

const isAlarm = /"level":"(ERROR|CRITICAL)"|^\w*Error\b/m;

const record = (text: string): void => {
  pending += text;
  timer ??= setTimeout(flush, logDelayMilliseconds).unref();
};

const write = (text: string): void => {
  record(text);
  if (isAlarm.test(text)) {
    send({ type: "alarm", text: text.slice(0, longestAlarm) });
    flush();
  }
};

type Written = () => void;

for (const stream of [process.stdout, process.stderr]) {
  Object.defineProperty(stream, "write", {
    value: (chunk: string | Uint8Array, encoding?: string | Written, done?: Written): boolean => {
      write(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
      const written = typeof encoding === "function" ? encoding : done;
      written?.();
      return true;
    },
  });
}
process.on("exit", flush);

/** Ends the thread, and keeps its compiled code for the next start. */
const exit = (): void => {
  flushCompileCache();
  process.exit();
};

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

const createContext = (requestId: string) => {
  const end = Date.now() + data.timeoutSeconds * 1_000;
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: data.functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: data.functionArn,
    memoryLimitInMB: String(data.memoryMegabytes),
    logGroupName: `/aws/lambda/${data.functionName}`,
    logStreamName: "local",
    getRemainingTimeInMillis: () => Math.max(0, end - Date.now()),
  };
};

const fail = (id: number, error: unknown): void => {
  record(`${describe(error)}\n`);
  send({ type: "error", id, error: describe(error) });
};

const streams = new Map<number, ResponseStream>();

type Handler = (...parameters: unknown[]) => unknown;

const invokeBuffered = async (
  handler: Handler,
  { id, requestId, event }: Invocation,
): Promise<void> => {
  try {
    const result = await handler(JSON.parse(event), createContext(requestId));
    send({ type: "result", id, payload: JSON.stringify(result ?? null) });
  } catch (error) {
    fail(id, error);
  }
};

/** The invocation is complete when the handler has returned and the stream has ended. */
const invokeStreaming = async (
  handler: Handler,
  { id, requestId, event }: Invocation,
): Promise<void> => {
  const response = createResponseStream(
    (part) => send({ type: "part", id, ...part }),
    () => send({ type: "cut", id }),
  );
  streams.set(id, response);
  try {
    await handler(JSON.parse(event), response.stream, createContext(requestId));
    await response.ended;
    send({ type: "result", id, payload: "null" });
  } catch (error) {
    fail(id, error);
  }
  streams.delete(id);
};

Object.assign(globalThis, { awslambda });
if (data.engineRoute) {
  const caller = { caller: data.functionName, token: process.env.AWS_SESSION_TOKEN ?? "" };
  Object.assign(http, { request: routeToEngine(http.request, data.engineRoute, caller) });
}
enableCompileCache(data.compileCache);
try {
  const bundle = await import(pathToFileURL(data.file).href);
  const handler = bundle[data.handler];
  if (typeof handler !== "function")
    throw new Error(`${data.file} does not export ${data.handler}`);
  const streaming = isStreaming(handler);
  const invoke = streaming ? invokeStreaming : invokeBuffered;
  parentPort?.on("message", (command: FunctionThreadCommand) => {
    if (command.type === "invoke") void invoke(handler, command);
    else if (command.type === "consumed") streams.get(command.id)?.consumed(command.size);
    else if (command.type === "compact") compactHeap();
    else exit();
  });
  send({ type: "ready" });
  setTimeout(flushCompileCache, cacheAfterMilliseconds).unref();
} catch (error) {
  record(`${describe(error)}\n`);
  flush();
  send({ type: "unloadable", error: describe(error) });
}
