import { createServer, type IncomingMessage } from "node:http";
import { type AwsRequest, toAwsRequest } from "../harness/aws-request.ts";
import { createForwarder } from "../harness/forward.ts";
import { listen } from "../harness/listen.ts";
import { askingForCapacity, parseUnits } from "./capacity.ts";
import { createGathering } from "./gather-messages.ts";

/** A call to an AWS service and its consumption. */
export type CountedCall = AwsRequest & {
  status: number;
  response: Buffer;
  /** Capacity units of DynamoDB; 0 for other services. */
  readUnits: number;
  writeUnits: number;
};

/** A proxy that counts the calls to the services behind it. */
export type CountingProxy = {
  endpoint: string;
  /** Sets the base URL of the services. */
  attach: (services: string) => void;
  /** Returns the calls since the last `take`, in order of their responses. */
  take: () => CountedCall[];
  /** Calls `listener` with each call after its response has arrived. */
  onCall: (listener: (call: CountedCall) => void) => void;
  /** Holds the next messages that a queue delivers until there are `count`, and delivers them together. */
  gather: (queue: string, count: number) => void;
  close: () => Promise<void>;
};

/** Starts a proxy that adds `ReturnConsumedCapacity` to each DynamoDB call. It adds latency. */
export const startCountingProxy = async (): Promise<CountingProxy> => {
  const forwarder = createForwarder();
  const listeners: ((call: CountedCall) => void)[] = [];
  let services: URL | undefined;
  let calls: CountedCall[] = [];
  const gathering = createGathering();
  const pass = async (incoming: IncomingMessage, body: Buffer) => {
    const to = services;
    if (!to) throw new Error("the services are not running");
    const call = toAwsRequest(incoming, body);
    const isStorage = call.service === "dynamodb";
    const sent = isStorage ? askingForCapacity(call) : body;
    const forward = () => forwarder.forward(to, incoming, sent);
    const reply = await gathering.gather(call, await forward(), forward);
    const units = isStorage ? parseUnits(call, reply.body) : { readUnits: 0, writeUnits: 0 };
    const counted = { ...call, status: reply.status, response: reply.body, ...units };
    calls.push(counted);
    for (const listener of listeners) listener(counted);
    return reply;
  };
  const server = createServer(async (incoming, response) => {
    response.on("error", () => undefined);
    try {
      const chunks: Buffer[] = await incoming.toArray();
      const { status, headers, body } = await pass(incoming, Buffer.concat(chunks));
      response.writeHead(status, { ...headers, "content-length": body.length }).end(body);
    } catch {
      incoming.socket.destroy();
    }
  });
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
  const { url, close } = await listen(server);
  return {
    endpoint: url,
    attach: (to) => {
      services = new URL(to);
    },
    take: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
    onCall: (listener) => {
      listeners.push(listener);
    },
    gather: gathering.start,
    close: async () => {
      await close();
      forwarder.close();
    },
  };
};
