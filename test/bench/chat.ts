import { type ChatServer, startChatServer } from "../harness/chat-apis/chat-server.ts";
import type { Topic } from "./bench.ts";
import { createConnector, deployAgent } from "./objects.ts";
import { type BenchStack, startBenchStack } from "./stack.ts";
import { median } from "./statistics.ts";
import { sumActions } from "./sum-actions.ts";

const agentId = "chat";
const revision = (useSession: boolean) => ({
  parametersMetadata: [
    { name: "message", type: "String" },
    { name: "history", type: "Json" },
  ],
  flow: { steps: [{ id: "say", type: "Output", value: "{% input.message %}" }], edges: [] },
  useSession,
});
const conversations = 10;

/** Time and storage calls from a chat message to the reply of an agent that calls no model. */
export const chat: Topic = async ({ short }) => {
  const server = await startChatServer();
  const stack = await startBenchStack({ ALLOW_PRIVATE_ADDRESSES: "true" });
  const turns = short ? 15 : 60;
  try {
    const rows = [];
    for (const useSession of [false, true]) {
      const sendMessage = await connect(stack, server, useSession);
      for (let turn = 0; turn < 5; turn += 1) await sendMessage("warm");
      await stack.storageCalls.reset();
      const alone: number[] = [];
      for (let turn = 0; turn < turns; turn += 1) alone.push(await sendMessage("alone"));
      const calls = await stack.storageCalls.read();
      const startedAt = performance.now();
      await Promise.all(
        Array.from({ length: conversations }, async (_, at) => {
          for (let turn = 0; turn < turns / 3; turn += 1) await sendMessage(`c-${at}`);
        }),
      );
      const seconds = (performance.now() - startedAt) / 1_000;
      rows.push([
        useSession ? "with a session" : "without a session",
        median(alone),
        Math.max(...alone),
        (conversations * Math.ceil(turns / 3)) / seconds,
        ...["deliver-message", "reply-to-chat"].map(
          (operation) => sumActions(calls, operation) / turns,
        ),
      ]);
    }
    return {
      title: "chat: from a message to its reply, without a model",
      columns: [
        "agent",
        "median, ms",
        "longest, ms",
        `replies/s, ${conversations} conversations`,
        "storage: accept",
        "reply",
      ],
      rows,
      notes: [
        "Sequential messages through a generic connector whose receiver is in this process; then the same in ten",
        "concurrent conversations. Storage calls are those of one message, to table, queue and key.",
      ],
    };
  } finally {
    await stack.close();
    await server.close();
  }
};

/** Sends a message to a conversation; returns the milliseconds until its reply. */
type SendMessage = (conversation: string) => Promise<number>;

const connect = async (
  stack: BenchStack,
  server: ChatServer,
  useSession: boolean,
): Promise<SendMessage> => {
  const id = `${agentId}-${useSession}`;
  await deployAgent(stack, id, revision(useSession));
  const address = await createConnector(stack, id, `${server.url}/replies`);
  let sentCount = 0;
  return async (conversation) => {
    sentCount += 1;
    const text = `${id}-${sentCount}`;
    const replied = new Promise<void>((resolve) => server.waitFor(text, resolve));
    const startedAt = performance.now();
    await stack.send("POST", address, {
      id: text,
      user: { id: "u" },
      conversation: { id: conversation },
      text,
    });
    await replied;
    return performance.now() - startedAt;
  };
};
