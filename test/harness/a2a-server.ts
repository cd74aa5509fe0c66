import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import {
  AgentCard,
  type Message,
  type Part,
  Role,
  SendMessageRequest,
  SendMessageResponse,
  Task,
  TaskState,
} from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from "@a2a-js/sdk/server";
import { listen } from "./listen.ts";

/** A received request. */
export type A2aRequest = {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: unknown;
};

/** Response of an agent to a message: the end of its task, after a while; or a message without a task. */
export type A2aAnswer =
  | { parts: readonly Part[]; isMessage: true }
  | {
      state: TaskState;
      parts?: readonly Part[];
      note?: string;
      afterMs?: number;
    };

/** Replaces a response. */
export type A2aFault = { status: number; headers?: Record<string, string>; body?: string } | "hang";

/** Behavior of a fake. */
export type A2aBehaviour = {
  answer?: (message: Message, isContinued: boolean) => A2aAnswer;
  binding?: "JSONRPC" | "HTTP+JSON";
  card?: (card: AgentCard) => object;
  fault?: (request: A2aRequest) => A2aFault | undefined;
};

/** A remote agent, made with the official package. */
export type A2aServer = { url: string; requests: A2aRequest[]; close: () => Promise<void> };

/** Creates a part with a text or a JSON value. */
export const buildPart = (value: unknown): Part => ({
  content: typeof value === "string" ? { $case: "text", value } : { $case: "data", value },
  metadata: undefined,
  filename: "",
  mediaType: "",
});

const buildCard = (url: string, protocolBinding: string): AgentCard => ({
  name: "Travel",
  description: "Books journeys.",
  version: "1",
  supportedInterfaces: [{ url, protocolBinding, protocolVersion: "1.0", tenant: "" }],
  provider: undefined,
  capabilities: { streaming: true, pushNotifications: false, extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ["text/plain", "application/json"],
  defaultOutputModes: ["text/plain"],
  skills: [
    {
      id: "rail",
      name: "Rail",
      description: "Finds trains.",
      tags: ["trains"],
      examples: [],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    },
  ],
  signatures: [],
});

const agentMessage = (names: { taskId: string; contextId: string }, parts: readonly Part[]) => ({
  messageId: crypto.randomUUID(),
  ...names,
  role: Role.ROLE_AGENT,
  parts: [...parts],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

const createExecutor = ({ answer }: A2aBehaviour): AgentExecutor => ({
  execute: async ({ userMessage, taskId, contextId, task }, bus) => {
    const names = { taskId, contextId };
    const given = answer?.(userMessage, task !== undefined) ?? {
      state: TaskState.TASK_STATE_COMPLETED,
      parts: userMessage.parts,
    };
    if ("isMessage" in given) {
      bus.publish(AgentEvent.message(agentMessage({ ...names, taskId: "" }, given.parts)));
      bus.finished();
      return;
    }
    const { state, parts = [], note, afterMs = 0 } = given;
    const toStatus = (shown: TaskState) => ({
      state: shown,
      message: note === undefined ? undefined : agentMessage(names, [buildPart(note)]),
      timestamp: new Date().toISOString(),
    });
    bus.publish(
      AgentEvent.task({
        id: taskId,
        contextId,
        status: { ...toStatus(TaskState.TASK_STATE_WORKING), message: undefined },
        artifacts: [],
        history: [userMessage],
        metadata: undefined,
      }),
    );
    await setTimeout(afterMs);
    if (parts.length > 0) {
      bus.publish(
        AgentEvent.artifactUpdate({
          ...names,
          artifact: {
            artifactId: "out",
            name: "",
            description: "",
            parts: [...parts],
            metadata: undefined,
            extensions: [],
          },
          append: false,
          lastChunk: true,
          metadata: undefined,
        }),
      );
    }
    bus.publish(
      AgentEvent.statusUpdate({ ...names, status: toStatus(state), metadata: undefined }),
    );
    bus.finished();
  },
  cancelTask: async () => {},
});

const parse = (body: Buffer): unknown =>
  body.length === 0 ? undefined : JSON.parse(body.toString());

/** Starts an agent on 127.0.0.1 with its card at `/agent/.well-known/agent-card.json`. */
export const startA2aServer = async (behaviour: A2aBehaviour = {}): Promise<A2aServer> => {
  const requests: A2aRequest[] = [];
  const { binding = "JSONRPC" } = behaviour;
  let card: AgentCard;
  let handler: DefaultRequestHandler;
  const reply = async ({ method, path, body }: A2aRequest): Promise<unknown> => {
    if (path.endsWith("agent-card.json")) {
      const json = AgentCard.toJSON(card);
      return behaviour.card ? behaviour.card(AgentCard.fromJSON(json)) : json;
    }
    const context = new ServerCallContext({ requestedVersion: "1.0" });
    if (binding === "JSONRPC") {
      const rpc = new JsonRpcTransportHandler(handler);
      return rpc.handle(JSON.stringify(body), context);
    }
    if (method === "POST") {
      const result = await handler.sendMessage(SendMessageRequest.fromJSON(body), context);
      const payload =
        "messageId" in result
          ? ({ $case: "message", value: result } as const)
          : ({ $case: "task", value: result } as const);
      return SendMessageResponse.toJSON({ payload });
    }
    const id = decodeURIComponent(path.split("/").at(-1)?.split("?")[0] ?? "");
    return Task.toJSON(await handler.getTask({ tenant: "", id, historyLength: 0 }, context));
  };
  const http = createServer(async (incoming, response) => {
    response.on("error", () => undefined);
    const { method = "", url: path = "", headers } = incoming;
    const request = { method, path, headers, body: parse(await buffer(incoming)) };
    requests.push(request);
    const fault = behaviour.fault?.(request);
    if (fault === "hang") return;
    if (fault) {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    const [status, body] = await reply(request).then(
      (value) => [200, value] as const,
      (error: unknown) => [404, { error: { code: 404, message: String(error) } }] as const,
    );
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(body));
  });
  const { url, close } = await listen(http);
  card = buildCard(`${url}/agent`, binding);
  handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), createExecutor(behaviour));
  return { url: `${url}/agent`, requests, close };
};
