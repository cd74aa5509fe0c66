import * as z from "zod";
import type { AwsRequest } from "../harness/aws-request.ts";

/** Capacity units of a call, as DynamoDB bills them. */
export type Units = { readUnits: number; writeUnits: number };

const Capacity = z.object({
  CapacityUnits: z.number(),
  ReadCapacityUnits: z.number().optional(),
});
const ResponseBody = z.object({
  ConsumedCapacity: z.union([Capacity.transform((one) => [one]), z.array(Capacity)]).default([]),
  __type: z.string().default(""),
  CancellationReasons: z.array(z.unknown()).default([]),
});
const Body = z.record(z.string(), z.unknown());

const reads = new Set(["GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems"]);
const writes = new Set([
  "PutItem",
  "UpdateItem",
  "DeleteItem",
  "BatchWriteItem",
  "BatchExecuteStatement",
  "TransactWriteItems",
]);

/** Returns the body of a DynamoDB call with `ReturnConsumedCapacity`. */
export const askingForCapacity = ({ operation, body }: AwsRequest): Buffer =>
  reads.has(operation) || writes.has(operation)
    ? Buffer.from(
        JSON.stringify({
          ...Body.parse(JSON.parse(body.toString("utf8"))),
          ReturnConsumedCapacity: "INDEXES",
        }),
      )
    : body;

/**
 * Returns the units of a DynamoDB call from its response. A write with a failed condition consumes
 * units too, which engines do not report: it counts as one, an action of a cancelled transaction as
 * two.
 */
export const parseUnits = ({ operation }: AwsRequest, response: Buffer): Units => {
  const body = ResponseBody.parse(JSON.parse(response.toString("utf8")));
  if (body.__type.endsWith("#ConditionalCheckFailedException")) {
    return { readUnits: 0, writeUnits: 1 };
  }
  if (body.__type.endsWith("#TransactionCanceledException")) {
    return { readUnits: 0, writeUnits: 2 * body.CancellationReasons.length };
  }
  const units = body.ConsumedCapacity.reduce((sum, capacity) => sum + capacity.CapacityUnits, 0);
  // A transaction repeated with its token only reads.
  const isRead =
    reads.has(operation) ||
    body.ConsumedCapacity.some(({ ReadCapacityUnits }) => ReadCapacityUnits !== undefined);
  return isRead ? { readUnits: units, writeUnits: 0 } : { readUnits: 0, writeUnits: units };
};
