import { createServer, type IncomingMessage } from "node:http";
import { Pool } from "undici";
import * as z from "zod";
import { listen } from "../harness/listen.ts";

/** Consumption of storage calls, in capacity units as DynamoDB bills them. */
export type Consumption = {
  /** Round trips; a transaction is one. */
  calls: number;
  readUnits: number;
  writeUnits: number;
  /** Bytes of the response bodies. */
  responseBytes: number;
};

/** A proxy of the engine that counts what each call consumes. */
export type CapacityProxy = {
  endpoint: string;
  /** Returns the consumption since the last call. */
  take: () => Consumption;
  close: () => Promise<void>;
};

const Capacity = z.object({ CapacityUnits: z.number() });
const CountedResponse = z.object({
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

const nothing = (): Consumption => ({ calls: 0, readUnits: 0, writeUnits: 0, responseBytes: 0 });

/**
 * Starts a proxy between a stack and the engine that adds `ReturnConsumedCapacity` to each call. It adds latency.
 * Writes whose condition fails also consume units, but engines do not report them.
 */
export const startCapacityProxy = async (engine: string): Promise<CapacityProxy> => {
  const pool = new Pool(engine);
  let consumed = nothing();
  const pass = async (request: IncomingMessage, body: Buffer) => {
    const target = String(request.headers["x-amz-target"]);
    const operation = target.split(".")[1] ?? "";
    const isCounted = reads.has(operation) || writes.has(operation);
    const sent = isCounted ? askingForCapacity(body) : body;
    const response = await pool.request({
      path: "/",
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": target,
        authorization: request.headers.authorization ?? "",
        "x-amz-date": String(request.headers["x-amz-date"] ?? ""),
      },
      body: sent,
    });
    const answer = { status: response.statusCode, body: Buffer.from(await response.body.bytes()) };
    if (isCounted) {
      const units = unitsOf(answer.body);
      consumed.calls += 1;
      consumed.responseBytes += answer.body.length;
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
  });
  const { url, close } = await listen(server);
  return {
    endpoint: url,
    take: () => {
      const taken = consumed;
      consumed = nothing();
      return taken;
    },
    close: async () => {
      await close();
      await pool.destroy();
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
  CountedResponse.parse(JSON.parse(body.toString("utf8"))).ConsumedCapacity.reduce(
    (sum, { CapacityUnits }) => sum + CapacityUnits,
    0,
  );
