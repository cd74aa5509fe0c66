import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import * as z from "zod";
import { createUpstream } from "../../infra/local/storage/upstream.ts";

/** What storage calls consumed: capacity units as DynamoDB bills them, and what was answered. */
export type Consumption = {
  /** Round trips; a transaction is one. */
  calls: number;
  readUnits: number;
  writeUnits: number;
  /** Bytes of the answers' bodies. */
  answeredBytes: number;
};

/** A way to the engine that asks it what each call consumes. */
export type CapacityProxy = {
  endpoint: string;
  /** What was consumed since it was last asked. */
  take: () => Consumption;
  close: () => Promise<void>;
};

const Capacity = z.object({ CapacityUnits: z.number() });
const Answer = z.object({
  ConsumedCapacity: z.union([Capacity.transform((one) => [one]), z.array(Capacity)]).default([]),
});
const Body = z.record(z.string(), z.unknown());

const reads = new Set(["GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems"]);
const writes = new Set([
  "PutItem",
  "UpdateItem",
  "DeleteItem",
  "BatchWriteItem",
  "TransactWriteItems",
]);

const nothing = (): Consumption => ({ calls: 0, readUnits: 0, writeUnits: 0, answeredBytes: 0 });

/**
 * Stands between a stack and the engine and adds `ReturnConsumedCapacity` to each call. It takes time of
 * its own. A write whose condition does not hold consumes too, but neither engine says how much.
 */
export const startCapacityProxy = async (engine: string): Promise<CapacityProxy> => {
  const upstream = createUpstream(engine);
  let consumed = nothing();
  const pass = async (request: IncomingMessage, body: Buffer) => {
    const target = String(request.headers["x-amz-target"]);
    const operation = target.split(".")[1] ?? "";
    const isCounted = reads.has(operation) || writes.has(operation);
    const sent = isCounted ? askingForCapacity(body) : body;
    const answer = await upstream.post(
      {
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": target,
        authorization: request.headers.authorization ?? "",
        "x-amz-date": String(request.headers["x-amz-date"] ?? ""),
      },
      sent,
    );
    if (isCounted) {
      const units = unitsOf(answer.body);
      consumed.calls += 1;
      consumed.answeredBytes += answer.body.length;
      if (reads.has(operation)) consumed.readUnits += units;
      else consumed.writeUnits += units;
    }
    return answer;
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    const answer = await pass(request, Buffer.concat(chunks));
    response.writeHead(answer.status, {
      "content-type": "application/x-amz-json-1.0",
      "content-length": answer.body.length,
    });
    response.end(answer.body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const own = typeof address === "object" && address ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${own}`,
    take: () => {
      const taken = consumed;
      consumed = nothing();
      return taken;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      upstream.close();
    },
  };
};

const askingForCapacity = (body: Buffer): Buffer =>
  Buffer.from(
    JSON.stringify({
      ...Body.parse(JSON.parse(body.toString("utf8"))),
      ReturnConsumedCapacity: "TOTAL",
    }),
  );

const unitsOf = (body: Buffer): number =>
  Answer.parse(JSON.parse(body.toString("utf8"))).ConsumedCapacity.reduce(
    (sum, { CapacityUnits }) => sum + CapacityUnits,
    0,
  );
