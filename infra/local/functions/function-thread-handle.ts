import { Worker } from "node:worker_threads";
import * as z from "zod";
import type { AnswerReader, FunctionCall, Outcome } from "./function-call.ts";
import type { FunctionThreadData, FunctionThreadMessage, FunctionThreadOrder } from "./messages.ts";
import type { Part } from "./response-stream.ts";

/** What a function's threads are started with. */
export type ThreadOptions = {
  /** The compiled script of a function's thread. */
  script: string;
  data: FunctionThreadData;
  environment: Record<string, string>;
  tell: (line: string) => void;
};

/** One running thread of a function. */
export type FunctionThread = {
  /** Resolves when the bundle is loaded, or cannot be. */
  ready: Promise<void>;
  isReady: () => boolean;
  /** Whether it takes more calls: not after a crash or a timeout. */
  isUsable: () => boolean;
  underWay: () => number;
  /** Unix milliseconds of the last begin or end of a call. */
  lastUsed: () => number;
  /** Resolves when the call is over; a streamed answer may have ended before. */
  call: (call: FunctionCall) => Promise<Outcome>;
  end: () => Promise<void>;
};

type UnderWay = {
  reader: AnswerReader | undefined;
  /** Read of the answer, and not yet told to the thread. */
  taken: number;
  done: (outcome: Outcome) => void;
};

const misused = "the function streams its answer, but was called for a whole one";

/** Called when a part was read; tells of it when enough was. */
const takenTeller = (size: number, call: UnderWay, tell: (size: number) => void) => (): void => {
  call.taken += size;
  if (call.taken < takenStep) return;
  tell(call.taken);
  call.taken = 0;
};

/** Small, since many threads each have such a part of memory. */
const youngMegabytes = 8;
/** How long a thread may take to write its log and end before it is ended. */
const endMilliseconds = 500;
/** What was read of a streamed answer is told in steps, a part of what may be unread. */
const takenStep = 262_144;

const Message = z.custom<FunctionThreadMessage>((value) => typeof value === "object");

const startWorker = ({ script, data, environment }: ThreadOptions): Worker => {
  const worker = new Worker(script, {
    workerData: data,
    env: environment,
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: data.memoryMegabytes,
      maxYoungGenerationSizeMb: youngMegabytes,
    },
  });
  // The thread writes its own log; what slips past it would otherwise be piped to ours.
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
};

/** Starts a thread; `onEnd` is called when it is gone. */
export const startThread = (options: ThreadOptions, onEnd: () => void): FunctionThread => {
  const { data, tell } = options;
  const worker = startWorker(options);
  const calls = new Map<number, UnderWay>();
  const ready = Promise.withResolvers<void>();
  const exited = new Promise((resolve) => worker.once("exit", resolve));
  let isReady = false;
  let retired = false;
  let lastId = 0;
  let lastUsed = Date.now();

  const order = (message: FunctionThreadOrder): void => worker.postMessage(message);
  const end = async (): Promise<void> => {
    retired = true;
    order({ type: "end" });
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
  const abandon = (error: string): void => {
    retired = true;
    ready.resolve();
    for (const id of [...calls.keys()]) finish(id, { type: "crash", error });
  };
  const pass = (id: number, part: Part): void => {
    const call = calls.get(id);
    if (call?.reader) {
      call.reader.read(
        part,
        takenTeller(part.size, call, (size) => order({ type: "taken", id, size })),
      );
    } else if (call) {
      tell(`${data.functionName}: ${misused}`);
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
        tell(`${data.functionName}: ${message.error}`);
        finish(message.id, { type: "error", error: message.error });
        break;
      case "unloadable":
        tell(`${data.functionName} cannot be loaded: ${message.error}`);
        abandon(message.error);
        void end();
        break;
      case "alarm":
        tell(`${data.functionName}: ${message.line}`);
        break;
    }
  };

  worker.on("message", (value) => onMessage(Message.parse(value)));
  worker.on("error", (error) => {
    tell(`${data.functionName} crashed: ${error instanceof Error ? error.stack : String(error)}`);
    abandon(String(error));
  });
  worker.on("exit", (code) => {
    abandon(`the function ended with code ${code}`);
    onEnd();
  });

  return {
    ready: ready.promise,
    isReady: () => isReady,
    isUsable: () => !retired,
    underWay: () => calls.size,
    lastUsed: () => lastUsed,
    end,
    call: ({ event, requestId, reader }) =>
      new Promise((resolve) => {
        lastId += 1;
        const id = lastId;
        lastUsed = Date.now();
        const timer = setTimeout(() => {
          tell(
            `${data.functionName} timed out after ${data.timeoutSeconds} s (request ${requestId})`,
          );
          retired = true;
          finish(id, { type: "timeout" });
        }, data.timeoutSeconds * 1_000);
        calls.set(id, {
          reader,
          taken: 0,
          done: (outcome) => {
            clearTimeout(timer);
            resolve(outcome);
          },
        });
        order({ type: "invoke", id, requestId, event });
      }),
  };
};
