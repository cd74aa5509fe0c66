import * as z from "zod";
import type { CountedCall } from "./counting-proxy.ts";
import { insertedItems } from "./insertions.ts";

const Value = z.union([z.object({ S: z.string() }).transform(({ S }) => S), z.unknown()]);
const Item = z.record(z.string(), Value);
const Action = z.looseObject({
  Key: Item.optional(),
  Item: Item.optional(),
  IndexName: z.string().optional(),
  KeyConditionExpression: z.string().optional(),
  ExpressionAttributeValues: Item.optional(),
  UpdateExpression: z.string().optional(),
});
const Body = Action.extend({
  TransactItems: z.array(z.record(z.string(), Action)).optional(),
  RequestItems: z.record(z.string(), z.unknown()).optional(),
});
const BatchGet = z.record(z.string(), z.object({ Keys: z.array(Item) }));
const BatchWrite = z.record(
  z.string(),
  z.array(
    z.object({
      PutRequest: z.object({ Item }).optional(),
      DeleteRequest: z.object({ Key: Item }).optional(),
    }),
  ),
);
const Fault = z.object({ __type: z.string() });

/** Describes a call in one line: function, operation, keys, units. */
export const describeCall = (call: CountedCall): string => {
  const units = [
    ...(call.writeUnits > 0 ? [`${call.writeUnits} WU`] : []),
    ...(call.readUnits > 0 ? [`${call.readUnits} RU`] : []),
    ...(call.service === "sqs" ? [`${call.body.length} bytes`] : []),
    ...(call.status >= 300 ? [parseFault(call)] : []),
  ].join(", ");
  return `${parseFunctionName(call).padEnd(20)} ${call.operation} ${describeSubject(call)}  ${units}`;
};

/** Returns the name of the calling function without the stack's prefix. */
export const parseFunctionName = ({ caller }: CountedCall): string =>
  caller.replace(/^[A-Za-z0-9]+-/, "");

const parseFault = ({ status, response }: CountedCall): string => {
  try {
    const { __type } = Fault.parse(JSON.parse(response.toString("utf8")));
    return __type.split("#").at(-1) ?? "";
  } catch {
    return String(status);
  }
};

const describeSubject = (call: CountedCall): string => {
  if (call.service === "dynamodb") return storageSubject(call);
  if (call.service === "sqs") return describeQueue(call);
  return short(call.url);
};

const Queue = z.object({
  QueueUrl: z.string().default(""),
  Entries: z.array(z.unknown()).default([]),
});

const describeQueue = ({ body }: CountedCall): string => {
  const { QueueUrl, Entries } = Queue.parse(JSON.parse(body.toString("utf8")));
  const name = QueueUrl.split("/").at(-1) ?? "";
  return Entries.length > 0 ? `${name} × ${Entries.length}` : name;
};

const storageSubject = ({ operation, body: raw }: CountedCall): string => {
  const request: unknown = JSON.parse(raw.toString("utf8"));
  if (operation === "BatchExecuteStatement") {
    return insertedItems(request)
      .map((item) => `Insert ${formatKey(Item.parse(item))}`)
      .join(" + ");
  }
  const body = Body.parse(request);
  if (body.TransactItems) {
    return body.TransactItems.flatMap((item) =>
      Object.entries(item).map(([kind, action]) => `${kind} ${describeAction(action)}`),
    ).join(" + ");
  }
  if (operation === "BatchGetItem") {
    return Object.values(BatchGet.parse(body.RequestItems))
      .flatMap(({ Keys }) => Keys.map(formatKey))
      .join(" + ");
  }
  if (operation === "BatchWriteItem") {
    return Object.values(BatchWrite.parse(body.RequestItems))
      .flat()
      .map(({ PutRequest, DeleteRequest }) =>
        PutRequest
          ? `Put ${formatKey(PutRequest.Item)}`
          : `Delete ${formatKey(DeleteRequest?.Key ?? {})}`,
      )
      .join(" + ");
  }
  return describeAction(body);
};

const describeAction = (action: z.output<typeof Action>): string => {
  if (action.Item) return formatKey(action.Item);
  if (action.Key) {
    return [formatKey(action.Key), short(action.UpdateExpression ?? "").slice(0, 60)]
      .join(" ")
      .trim();
  }
  const values = Object.values(action.ExpressionAttributeValues ?? {}).map((value) =>
    short(String(value)),
  );
  return `${action.IndexName ?? "table"}(${values.join(", ")})`;
};

const formatKey = ({ pk, sk, gsi1pk }: z.output<typeof Item>): string =>
  `${short(String(pk))} / ${short(String(sk))}${gsi1pk === undefined ? "" : ` [${short(String(gsi1pk))}]`}`;

/** Shortens ids and digests, which differ in each run. */
const short = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{8}([0-9a-f]{4})/g, "…$1")
    .replaceAll(/[0-9A-Za-z_-]{40,}/g, (digest) => `…${digest.slice(-4)}`);
