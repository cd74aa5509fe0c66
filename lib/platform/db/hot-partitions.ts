import { type DynamoDBClient, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import * as z from "zod";

/** Partitions of the table at which writes of a client met DynamoDB's limit for one partition key. */
export type HotPartitions = {
  /** Returns whether a partition was at its limit since it was asked for last. */
  take: (pk: string) => boolean;
  /** Adds a partition. */
  add: (pk: string) => void;
};

const Keyed = z.object({ pk: z.object({ S: z.string() }) });
const Write = z.object({ Item: Keyed.optional(), Key: Keyed.optional() });
const Transaction = z.object({ TransactItems: z.array(z.record(z.string(), Write)) });

const Reason = z.object({ reason: z.string() });
const Throttle = z.object({
  name: z.enum(["ProvisionedThroughputExceededException", "ThrottlingException"]),
  ThrottlingReasons: z.array(Reason).optional(),
  throttlingReasons: z.array(Reason).optional(),
});

/** Names of partitions that nobody asks for. */
const maxPartitions = 100;

/**
 * Notes the partitions at which a write of a client was throttled twice in a row: once happens to every partition while
 * DynamoDB divides it.
 */
export const watchPartitions = (client: DynamoDBClient): HotPartitions => {
  const hot = new Set<string>();
  const add = (pk: string): void => {
    hot.delete(pk);
    hot.add(pk);
    for (const oldest of hot) {
      if (hot.size <= maxPartitions) break;
      hot.delete(oldest);
    }
  };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        const before: readonly string[] = context.throttledPartitions ?? [];
        const throttled = throttledPartitions(args.input, error);
        for (const pk of throttled) if (before.includes(pk)) add(pk);
        context.throttledPartitions = throttled;
        throw error;
      }
    },
    // Inside of the SDK's retries, whose priority is high.
    { step: "finalizeRequest", priority: "low", name: "hotPartitions", override: true },
  );
  return { take: (pk) => hot.delete(pk), add };
};

const throttledPartitions = (input: object, error: unknown): string[] => {
  if (error instanceof TransactionCanceledException) {
    const writes = Transaction.safeParse(input).data?.TransactItems ?? [];
    return writes.flatMap((write, at) => {
      const { Code, Message } = error.CancellationReasons?.[at] ?? {};
      return isPartitionLimit(Code, Message) ? Object.values(write).flatMap(listPartitions) : [];
    });
  }
  const throttle = Throttle.safeParse(error).data;
  if (!throttle) return [];
  const { ThrottlingReasons, throttlingReasons = ThrottlingReasons } = throttle;
  const isOfKey =
    throttlingReasons === undefined ||
    throttlingReasons.some(({ reason }) => reason === "TableWriteKeyRangeThroughputExceeded");
  return isOfKey ? listPartitions(Write.safeParse(input).data ?? {}) : [];
};

const listPartitions = ({ Item: item, Key: key = item }: z.output<typeof Write>): string[] =>
  key ? [key.pk.S] : [];

/**
 * Returns whether a part of a transaction or a batch failed at the limit of its partition. It has no throttling reason:
 * the message tells whether an index is at its limit instead.
 */
export const isPartitionLimit = (code = "", message = ""): boolean =>
  ["ThrottlingError", "ProvisionedThroughputExceeded"].includes(code) &&
  !message.includes("secondary index");
