import * as z from "zod";
import type { AwsRequest } from "../harness/aws-request.ts";

/** Treatment of a call by the proxy. */
export type Treatment =
  /** Responds without calling the service. */
  | { type: "refuse"; status: number; headers?: Record<string, string>; body: string }
  /** Forwards the call, and replaces the response. */
  | { type: "replace"; status: number; body: string }
  /** Closes the connection, before or after the call is forwarded. */
  | { type: "cut"; isDone: boolean }
  | { type: "delay"; milliseconds: number }
  /** Passes the call on twice. */
  | { type: "twice" }
  /** Reverses the messages of the response. */
  | { type: "reverse" };

type Fault = { fits: (request: AwsRequest) => boolean; treat: (request: AwsRequest) => Treatment };

const dynamodb = ({ service }: AwsRequest): boolean => service === "dynamodb";
const calls =
  (...operations: readonly string[]) =>
  ({ operation }: AwsRequest): boolean =>
    operations.includes(operation);
const awsServices = ({ service }: AwsRequest): boolean => service !== "other";
/**
 * A poller cannot distinguish a lost response from none; its messages are delivered again after
 * their visibility timeout.
 */
const notPolled = (request: AwsRequest): boolean =>
  awsServices(request) && !calls("ReceiveMessage", "DeleteMessage", "DeleteMessageBatch")(request);

const refusal = (status: number, name: string, more: object = {}): Treatment => ({
  type: "refuse",
  status,
  body: JSON.stringify({
    __type: `com.amazonaws.dynamodb.v20120810#${name}`,
    message: name,
    ...more,
  }),
});

const throttledBy = (reason: string) => ({
  reason,
  resource: "arn:aws:dynamodb:us-east-1:000000000000:table/wharf",
});

const Transaction = z.object({ TransactItems: z.array(z.unknown()) });

const cancelled =
  (reason: string) =>
  ({ body }: AwsRequest): Treatment => {
    const { TransactItems } = Transaction.parse(JSON.parse(body.toString("utf8")));
    return refusal(400, "TransactionCanceledException", {
      CancellationReasons: TransactItems.map((_, at) =>
        at === 0 ? { Code: reason, Message: reason } : { Code: "None" },
      ),
    });
  };

const internalError = ({ service }: AwsRequest): string =>
  service === "s3"
    ? "<Error><Code>InternalError</Code><Message>internal error</Message></Error>"
    : JSON.stringify({ __type: "InternalServerError", message: "internal error" });
const Batch = z.object({ RequestItems: z.record(z.string(), z.unknown()) });
const Entries = z.object({ Entries: z.array(z.object({ Id: z.string() })) });

const Statements = z.object({ Statements: z.array(z.unknown()) });

const leaveUndone = ({ operation, body }: AwsRequest): Treatment => {
  const request: unknown = JSON.parse(body.toString("utf8"));
  const ok = (value: object): Treatment => ({
    type: "refuse",
    status: 200,
    body: JSON.stringify(value),
  });
  if (operation === "SendMessageBatch") {
    const Failed = Entries.parse(request).Entries.map(({ Id }) => ({
      Id,
      SenderFault: false,
      Code: "InternalError",
    }));
    return ok({ Successful: [], Failed });
  }
  if (operation === "BatchExecuteStatement") {
    const failure = { Code: "ThrottlingError", Message: "throttled" };
    return ok({ Responses: Statements.parse(request).Statements.map(() => ({ Error: failure })) });
  }
  const { RequestItems } = Batch.parse(request);
  return operation === "BatchWriteItem"
    ? ok({ UnprocessedItems: RequestItems })
    : ok({ Responses: {}, UnprocessedKeys: RequestItems });
};

const transactions = calls("TransactWriteItems");

/** Every fault, by name: the calls that it fits, and what becomes of them. */
export const faultKinds = {
  ThrottlingException: {
    fits: dynamodb,
    treat: () =>
      refusal(400, "ThrottlingException", {
        throttlingReasons: [throttledBy("TableWriteKeyRangeThroughputExceeded")],
      }),
  },
  ProvisionedThroughputExceededException: {
    fits: dynamodb,
    treat: () =>
      refusal(400, "ProvisionedThroughputExceededException", {
        ThrottlingReasons: [throttledBy("IndexWriteKeyRangeThroughputExceeded")],
      }),
  },
  RequestLimitExceeded: { fits: dynamodb, treat: () => refusal(400, "RequestLimitExceeded") },
  TransactionConflictException: {
    fits: calls("PutItem", "UpdateItem", "DeleteItem"),
    treat: () => refusal(400, "TransactionConflictException"),
  },
  "cancelled: TransactionConflict": {
    fits: transactions,
    treat: cancelled("TransactionConflict"),
  },
  "cancelled: ThrottlingError": { fits: transactions, treat: cancelled("ThrottlingError") },
  "cancelled: ProvisionedThroughputExceeded": {
    fits: transactions,
    treat: cancelled("ProvisionedThroughputExceeded"),
  },
  TransactionInProgressException: {
    fits: transactions,
    treat: () => refusal(400, "TransactionInProgressException"),
  },
  "batch left undone": {
    fits: calls("BatchWriteItem", "BatchGetItem", "BatchExecuteStatement", "SendMessageBatch"),
    treat: leaveUndone,
  },
  "500 before the call": {
    fits: notPolled,
    treat: (call) => ({ type: "refuse", status: 500, body: internalError(call) }),
  },
  "500 after the call": {
    fits: notPolled,
    treat: (call) => ({ type: "replace", status: 500, body: internalError(call) }),
  },
  "cut before the call": { fits: notPolled, treat: () => ({ type: "cut", isDone: false }) },
  "cut after the call": { fits: notPolled, treat: () => ({ type: "cut", isDone: true }) },
  delayed: { fits: notPolled, treat: () => ({ type: "delay", milliseconds: 300 }) },
  "message sent twice": {
    fits: calls("SendMessage", "SendMessageBatch"),
    treat: () => ({ type: "twice" }),
  },
  "messages reversed": { fits: calls("ReceiveMessage"), treat: () => ({ type: "reverse" }) },
  "S3 503 SlowDown": {
    fits: ({ service }) => service === "s3",
    treat: () => ({
      type: "refuse",
      status: 503,
      headers: { "content-type": "application/xml" },
      body: "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>",
    }),
  },
} as const satisfies Record<string, Fault>;

/** Name of a kind of fault. */
export type FaultName = keyof typeof faultKinds;

const isFaultName = (name: string): name is FaultName => Object.hasOwn(faultKinds, name);

/** The names of all kinds of faults. */
export const faultNames: readonly FaultName[] = Object.keys(faultKinds).filter(isFaultName);
