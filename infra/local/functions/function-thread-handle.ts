import { Worker } from "node:worker_threads";
import * as z from "zod";
import { alarmLine } from "./alarm-line.ts";
import type { FunctionCall, Outcome, ResponseReader } from "./function-call.ts";
import type {
  FunctionThreadCommand,
  FunctionThreadData,
  FunctionThreadMessage,
} from "./messages.ts";
import type { Part } from "./response-stream.ts";

/** Start options of a function's threads. */
export type ThreadOptions = {
  /** Path of the compiled thread script. */
  script: string;
  data: FunctionThreadData;
  environment: Record<string, string>;
  print: (line: string) => void;
};

/** A running thread of a function. */
export type FunctionThread = {
  /** Resolves when the bundle is loaded or has failed to load. */
  ready: Promise<void>;
  isReady: () => boolean;
  /** Whether it accepts invocations; false after a crash or a timeout. */
  isUsable: () => boolean;
  inFlight: () => number;
  /** Unix milliseconds of the last start or end of an invocation. */
  lastUsed: () => number;
  /** Resolves when the invocation is complete; a streamed response may end earlier. */
  call: (call: FunctionCall) => Promise<Outcome>;
  /** Frees the memory that loading the bundle and invocations took. */
  compact: () => void;
  end: () => Promise<void>;
};

type InFlight = {
  reader: ResponseReader | undefined;
  /** Bytes that the client has read and the thread does not know of yet. */
  consumed: number;
  done: (outcome: Outcome) => void;
};

const misused = "the function streams its response, but the integration is buffered";

/** Creates the acknowledgement of one part; notifies the thread in steps of `consumedStep`. */
const acknowledge = (size: number, call: InFlight, notify: (size: number) => void) => (): void => {
  call.consumed += size;
  if (call.consumed < consumedStep) return;
  notify(call.consumed);
  call.consumed = 0;
};

/** Largest young generation of each thread's heap: a smaller one is collected more often. An idle thread frees what it does not need. */
const youngMegabytes = 32;
/** Time for a thread to write its log and exit before it is terminated. */
const endMilliseconds = 500;
/** Bytes between two notifications of consumed bytes; a fraction of the stream's window. */
const consumedStep = 262_144;

const Message = z.custom<FunctionThreadMessage>((value) => typeof value === "object");

const startWorker = ({ script, data, environment }: ThreadOptions): Worker => {
  const worker = new Worker(script, {
    name: data.functionName,
    workerData: data,
    env: environment,
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: data.memoryMegabytes,
      maxYoungGenerationSizeMb: youngMegabytes,
    },
  });
  // The thread writes its own log; anything else must not reach the output of this process.
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
};

/** Starts a thread; `onEnd` is called when it has exited. */
export const startThread = (options: ThreadOptions, onEnd: () => void): FunctionThread => {
  const { data, print } = options;
  const worker = startWorker(options);
  const calls = new Map<number, InFlight>();
  const ready = Promise.withResolvers<void>();
  const exited = new Promise((resolve) => worker.once("exit", resolve));
  let isReady = false;
  let retired = false;
  let lastId = 0;
  let lastUsed = Date.now();

  const send = (message: FunctionThreadCommand): void => worker.postMessage(message);
  const end = async (): Promise<void> => {
    retired = true;
    send({ type: "end" });
    const timer = setTimeout(() => worker.terminate(), endMilliseconds);
    await exited;
    clearTimeout(timer);
  };
  const finish = (id: number, outcome: Outcome): void => {
    const call = calls.get(id);
    calls.delete(id);
    lastUsed = Date.now();
    call?.done(outcome);
    if (retired && calls.size === 0) void end();
  };
  const crash = (error: string): void => {
    retired = true;
    ready.resolve();
    for (const id of [...calls.keys()]) finish(id, { type: "crash", error });
  };
  const pass = (id: number, part: Part): void => {
    const call = calls.get(id);
    if (call?.reader) {
      call.reader.read(
        part,
        acknowledge(part.size, call, (size) => send({ type: "consumed", id, size })),
      );
    } else if (call) {
      print(`${data.functionName}: ${misused}`);
      finish(id, { type: "error", error: misused });
    }
  };
  const onMessage = (message: FunctionThreadMessage): void => {
    switch (message.type) {
      case "part":
        pass(message.id, message);
        break;
      case "cut":
        calls.get(message.id)?.reader?.cut();
        break;
      case "ready":
        isReady = true;
        ready.resolve();
        break;
      case "result":
        finish(message.id, { type: "result", payload: message.payload });
        break;
      case "error":
        print(`${data.functionName}: ${alarmLine(message.error, data.logFile)}`);
        finish(message.id, { type: "error", error: message.error });
        break;
      case "unloadable":
        print(`${data.functionName} cannot be loaded: ${message.error}`);
        crash(message.error);
        void end();
        break;
      case "alarm":
        print(`${data.functionName}: ${alarmLine(message.text, data.logFile)}`);
        break;
    }
  };

  worker.on("message", (value) => onMessage(Message.parse(value)));
  worker.on("error", (error) => {
    print(`${data.functionName} crashed: ${error instanceof Error ? error.stack : String(error)}`);
    crash(String(error));
  });
  worker.on("exit", (code) => {
    crash(`the function exited with code ${code}`);
    onEnd();
  });

  return {
    ready: ready.promise,
    isReady: () => isReady,
    isUsable: () => !retired,
    inFlight: () => calls.size,
    lastUsed: () => lastUsed,
    compact: () => send({ type: "compact" }),
    end,
    call: ({ event, requestId, reader }) =>
      new Promise((resolve) => {
        lastId += 1;
        const id = lastId;
        lastUsed = Date.now();
        const timer = setTimeout(() => {
          print(
            `${data.functionName} timed out after ${data.timeoutSeconds} s (request ${requestId})`,
          );
          retired = true;
          finish(id, { type: "timeout" });
        }, data.timeoutSeconds * 1_000);
        calls.set(id, {
          reader,
          consumed: 0,
          done: (outcome) => {
            clearTimeout(timer);
            resolve(outcome);
          },
        });
        send({ type: "invoke", id, requestId, event });
      }),
  };
};
