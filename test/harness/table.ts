import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { paginateScan } from "@aws-sdk/lib-dynamodb";
import { inject } from "vitest";
import * as z from "zod";
import { connect, type Database } from "../../lib/platform/db/database.ts";
import { awsRetries } from "../../lib/platform/runtime/aws-retry.ts";
import { createTable } from "./create-table.ts";

/** A database with its own table, which counts its calls. */
export type TestDatabase = Database & {
  calls: string[];
  /** Fails a call of this name before it is sent, after letting some pass, as in a crash. */
  failNext: (command: string, passing?: number) => void;
  /** Returns whether a planned failure had not happened: there were fewer calls of its name. */
  clearFailures: () => boolean;
  /** Fails the next call of this name after it is processed, as if its response was lost. */
  loseNextResponse: (command: string) => void;
  /** Runs an action before the next call of this name is sent, as a concurrent request would. */
  beforeNext: (command: string, action: () => Promise<unknown>) => void;
  /**
   * Fails the condition of one write of a transaction, or one statement of a batch of them, after
   * `passing` successful ones.
   */
  spoilNext: (write: number, passing?: number) => void;
  scan: () => Promise<Record<string, unknown>[]>;
};

const Transaction = z.looseObject({
  TransactItems: z.array(
    z.record(z.string(), z.looseObject({ ConditionExpression: z.string().optional() })),
  ),
});

const Batch = z.looseObject({ Statements: z.array(z.looseObject({ Statement: z.string() })) });

/** Creates an empty table in the local engine at `endpoint`. `clock` times retries. */
export const testDatabase = async (
  endpoint = inject("dynamodbEndpoint"),
  clock?: () => number,
): Promise<TestDatabase> => {
  const client = new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    retryStrategy: awsRetries(clock),
  });
  const table = await createTable(client);
  const calls: string[] = [];
  const failures: { command: string; passing: number }[] = [];
  let spoiled: { write: number; passing: number } | undefined;
  let lost: string | undefined;
  let interposed: { command: string; action: () => Promise<unknown> } | undefined;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = context.commandName?.replace(/Command$/, "") ?? "";
      calls.push(command);
      if (command === interposed?.command) {
        const { action } = interposed;
        interposed = undefined;
        await action();
      }
      const planned = failures.find((failure) => failure.command === command);
      if (planned && planned.passing > 0) planned.passing -= 1;
      else if (planned) {
        failures.splice(failures.indexOf(planned), 1);
        throw new Error("planned failure");
      }
      if (command === lost) {
        lost = undefined;
        return next(args).then(() => {
          throw new Error("planned loss of a response");
        });
      }
      const isSpoilable = command === "TransactWriteItems" || command === "BatchExecuteStatement";
      if (isSpoilable && spoiled && spoiled.passing > 0) {
        spoiled.passing -= 1;
        return next(args);
      }
      if (command === "TransactWriteItems" && spoiled !== undefined) {
        const { TransactItems } = Transaction.parse(args.input);
        const write = Object.values(TransactItems[spoiled.write] ?? {})[0];
        if (write) {
          const condition = write.ConditionExpression ? `(${write.ConditionExpression}) AND ` : "";
          write.ConditionExpression = `${condition}attribute_exists(neverThere)`;
        }
        spoiled = undefined;
        return next({ ...args, input: { ...args.input, TransactItems } });
      }
      if (command === "BatchExecuteStatement" && spoiled !== undefined) {
        const { Statements } = Batch.parse(args.input);
        const statement = Statements[spoiled.write];
        if (statement) statement.Statement = statement.Statement.replace(table, "neverThere");
        spoiled = undefined;
        return next({ ...args, input: { ...args.input, Statements } });
      }
      return next(args);
    },
    { step: "initialize" },
  );
  const db = connect(table, client);
  return {
    ...db,
    calls,
    spoilNext: (write, passing = 0) => {
      spoiled = { write, passing };
    },
    loseNextResponse: (command) => {
      lost = command;
    },
    beforeNext: (command, action) => {
      interposed = { command, action };
    },
    failNext: (command, passing = 0) => failures.push({ command, passing }),
    clearFailures: () => failures.splice(0).length > 0,
    scan: async () => {
      const pages = paginateScan({ client: db.client }, { TableName: table });
      return (await Array.fromAsync(pages)).flatMap(({ Items = [] }) => Items);
    },
  };
};
