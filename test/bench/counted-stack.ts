import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Invoke } from "../../infra/local/functions/functions.ts";
import { functionName, queueName } from "../../infra/settings/names.ts";
import type { QueueName } from "../../lib/platform/queue/queues.ts";
import { type CountedCall, startCountingProxy } from "./counting-proxy.ts";
import { type BenchStack, startBenchStack } from "./stack.ts";

/** A finished invocation of a function. */
export type CountedInvocation = {
  functionName: string;
  /** Whether the gateway invoked it. */
  isRequest: boolean;
};

/** A stack that counts its functions' calls to AWS services and invocations. */
export type CountedStack = BenchStack & {
  /** Returns the calls since the last `take`, those of queue pollers included. */
  takeCalls: () => CountedCall[];
  takeInvocations: () => CountedInvocation[];
  /** Calls `listener` with each call of a function to an AWS service. */
  onCall: (listener: (call: CountedCall) => void) => void;
  /** Resolves when no function runs and every message sent since the start is deleted. */
  settled: () => Promise<void>;
  /** Gathers the next `count` messages of a queue in one batch. */
  gather: (queue: QueueName, count: number) => void;
  /** Invokes a function by its operation. */
  invoke: (operation: string) => Promise<void>;
  /** Announces messages from a service, such as the scheduler. */
  expectMessages: (count: number) => void;
};

/** Starts the product with its functions behind a counting proxy; slower, so never measure time with it. */
export const startCountedStack = async (
  settings: Record<string, string> = {},
): Promise<CountedStack> => {
  const proxy = await startCountingProxy();
  const messages = countMessages();
  proxy.onCall(messages.add);
  const invocations = countInvocations();
  const stack = await startBenchStack(settings, {
    table: "memory",
    via: async (services) => {
      proxy.attach(services);
      return proxy.endpoint;
    },
    observe: invocations.observe,
  });
  return {
    ...stack,
    takeCalls: proxy.take,
    takeInvocations: invocations.take,
    onCall: proxy.onCall,
    gather: (queue, count) => proxy.gather(queueName(defaultPrefix, queue), count),
    expectMessages: messages.expect,
    invoke: invocations.invoke,
    settled: async () => {
      const isBusy = () => invocations.running() > 0 || messages.outstanding() > 0;
      do {
        while (isBusy()) await pause();
        // An instance may finish its bookkeeping shortly after its invocation.
        await pause(quietMilliseconds);
      } while (isBusy());
    },
    close: async () => {
      await stack.close();
      await proxy.close();
    },
  };
};

/** Prefix of the functions' names without the setting STACK_PREFIX. */
export const defaultPrefix = "Wharf";

const quietMilliseconds = 100;

const pause = (milliseconds = 5): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Counts messages that were sent to queues and not deleted. */
const countMessages = () => {
  let outstanding = 0;
  return {
    outstanding: () => outstanding,
    expect: (count: number): void => {
      outstanding += count;
    },
    add: (call: CountedCall): void => {
      if (call.service !== "sqs" || call.status !== 200) return;
      const done = succeededIn(call);
      if (call.operation.startsWith("SendMessage")) outstanding += done;
      if (call.operation.startsWith("DeleteMessage")) outstanding -= done;
    },
  };
};

const Batch = z.object({ Successful: z.array(z.unknown()).optional() });

/** Number of messages that a request sent or deleted. */
const succeededIn = ({ response }: CountedCall): number =>
  response.length === 0
    ? 1
    : (Batch.parse(JSON.parse(response.toString("utf8"))).Successful?.length ?? 1);

const countInvocations = () => {
  let running = 0;
  let invokeCounted: Invoke | undefined;
  let finished: CountedInvocation[] = [];
  return {
    running: () => running,
    take: (): CountedInvocation[] => {
      const taken = finished;
      finished = [];
      return taken;
    },
    invoke: async (operation: string): Promise<void> => {
      const name = functionName(defaultPrefix, operation);
      const outcome = await invokeCounted?.(name, { event: "{}", requestId: randomUUID() });
      if (outcome?.type !== "result") throw new Error(`${operation} ended with ${outcome?.type}`);
    },
    observe: (invoke: Invoke): Invoke => {
      invokeCounted = async (name, call) => {
        running += 1;
        try {
          return await invoke(name, call);
        } finally {
          running -= 1;
          finished.push({
            functionName: name,
            isRequest: call.event.includes('"httpMethod":'),
          });
        }
      };
      return invokeCounted;
    },
  };
};
