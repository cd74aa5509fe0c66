import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { type AwsRequest, toAwsRequest } from "../harness/aws-request.ts";
import { createForwarder, type Forwarded } from "../harness/forward.ts";
import { type FaultName, faultKinds, type Treatment } from "./fault-kinds.ts";

/** Returns the fault of a call; undefined passes it on. */
export type Decide = (call: AwsRequest) => FaultName | undefined;

/** Number of injected faults, by `fault / operation`. */
export type Injected = ReadonlyMap<string, number>;

/** A server between the functions and the local AWS services. */
export type FaultProxy = {
  endpoint: string;
  /** Sets where the services are; a product that starts again has other ports. */
  attach: (services: string) => void;
  decide: (decide: Decide) => void;
  injected: Injected;
  close: () => Promise<void>;
};

const Received = z.looseObject({ Messages: z.array(z.unknown()).optional() });

/** Starts a proxy that injects the faults of `decide`. */
export const startFaultProxy = async (): Promise<FaultProxy> => {
  const forwarder = createForwarder();
  const injected = new Map<string, number>();
  let services: URL | undefined;
  let decide: Decide = () => undefined;

  const pass = async (incoming: IncomingMessage, body: Buffer): Promise<Forwarded> => {
    if (!services) throw new Error("the product is not running");
    return forwarder.forward(services, incoming, body);
  };

  const treat = async (
    treatment: Treatment | undefined,
    incoming: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> => {
    if (treatment?.type === "refuse") {
      const headers = { "content-type": "application/x-amz-json-1.0", ...treatment.headers };
      response.writeHead(treatment.status, headers).end(treatment.body);
      return;
    }
    if (treatment?.type === "cut" && !treatment.isDone) {
      incoming.socket.destroy();
      return;
    }
    if (treatment?.type === "delay") await sleep(treatment.milliseconds);
    if (treatment?.type === "twice") await pass(incoming, body);
    const passed = await pass(incoming, body);
    if (treatment?.type === "cut") incoming.socket.destroy();
    else if (treatment?.type === "replace")
      response.writeHead(treatment.status).end(treatment.body);
    else send(response, treatment?.type === "reverse" ? reversed(passed) : passed);
  };

  const server = createServer(async (incoming, response) => {
    response.on("error", () => undefined);
    try {
      const chunks: Buffer[] = await incoming.toArray();
      const body = Buffer.concat(chunks);
      const call = toAwsRequest(incoming, body);
      const fault = decide(call);
      if (fault) count(injected, `${fault} / ${call.operation}`);
      await treat(fault && faultKinds[fault].treat(call), incoming, body, response);
    } catch {
      incoming.socket.destroy();
    }
  }).listen(0, "127.0.0.1");
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    attach: (url) => {
      services = new URL(url);
    },
    decide: (next) => {
      decide = next;
    },
    injected,
    close: async () => {
      server.closeAllConnections();
      server.close();
      forwarder.close();
    },
  };
};

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

const send = (response: ServerResponse, { status, headers, body }: Forwarded): void => {
  response.writeHead(status, { ...headers, "content-length": body.length }).end(body);
};

const reversed = (passed: Forwarded): Forwarded => {
  if (passed.status !== 200) return passed;
  const { Messages, ...rest } = Received.parse(JSON.parse(passed.body.toString("utf8")));
  if (!Messages) return passed;
  return {
    ...passed,
    body: Buffer.from(JSON.stringify({ ...rest, Messages: Messages.toReversed() })),
  };
};
