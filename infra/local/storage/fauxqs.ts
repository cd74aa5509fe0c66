import type { IncomingMessage, ServerResponse } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { buildApp } from "fauxqs";
import * as z from "zod";
import { PersistenceManager } from "../../../node_modules/fauxqs/dist/persistence.js";
import { SnsStore } from "../../../node_modules/fauxqs/dist/sns/snsStore.js";
import { type SqsQueue, SqsStore } from "../../../node_modules/fauxqs/dist/sqs/sqsStore.js";
import { readAccessKeyId, readAuthorization } from "../access/caller.ts";
import type { Guard } from "../access/guard.ts";
import { s3Access } from "../access/s3.ts";
import { sqsAccess } from "../access/sqs.ts";
import { localAccount, localRegion } from "../template/physical.ts";
import type { LocalQueue } from "../template/storage.ts";
import { returnMessagesInFlight, type SettleReceipts } from "./messages-in-flight.ts";
import { OrderedS3Store } from "./ordered-s3-store.ts";
import { readResponseOverrides } from "./response-overrides.ts";

/** Largest object; fauxqs accepts 11 MiB by default. */
const largestObjectBytes = 80 * 1024 * 1024;

/** SQS and S3 on this machine. */
export type QueuesAndBuckets = {
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  settle: SettleReceipts;
  close: () => Promise<void>;
};

type Options = {
  dataDirectory: string;
  queues: readonly LocalQueue[];
  buckets: readonly string[];
  guard: Guard;
};

/**
 * Starts queues and buckets in fauxqs, stored in SQLite under `dataDirectory`. A commit survives a crash of this
 * process at any moment; a power failure may lose the last ones (`synchronous = NORMAL`).
 *
 * Of what fauxqs exports, `startFauxqs` listens on every interface without authentication, and `buildApp` takes
 * persistent stores but does not export their classes. So the classes are imported from its `dist` and served by
 * our server on the loopback; the version in package.json is exact for that reason.
 */
export const startQueuesAndBuckets = async ({
  dataDirectory,
  queues,
  buckets,
  guard,
}: Options): Promise<QueuesAndBuckets> => {
  const sqsStore = new SqsStore();
  const snsStore = new SnsStore();
  const s3Store = new OrderedS3Store();
  const persistence = new PersistenceManager(dataDirectory);
  const database = z.instanceof(DatabaseSync).parse(Reflect.get(persistence, "db"));
  database.exec("PRAGMA synchronous = NORMAL");
  const settle = returnMessagesInFlight(database);
  persistence.load(sqsStore, snsStore, s3Store);
  sqsStore.persistence = persistence;
  s3Store.persistence = persistence;
  for (const queue of sqsStore.allQueues()) queue.persistence = persistence;

  for (const { name, arn, attributes } of queues) {
    const existing = sqsStore.getQueueByName(name);
    if (existing) existing.setAttributes({ RedrivePolicy: "", ...attributes });
    else sqsStore.createQueue(name, `http://localhost/${localAccount}/${name}`, arn, attributes);
  }
  for (const queue of sqsStore.allQueues()) receiveInTransaction(queue, database);
  for (const bucket of buckets) {
    if (!s3Store.hasBucket(bucket)) s3Store.createBucket(bucket);
  }

  const app = buildApp({
    logger: false,
    defaultRegion: localRegion,
    stores: { sqsStore, snsStore, s3Store },
  });
  app.removeContentTypeParser("*");
  app.addContentTypeParser(
    "*",
    { parseAs: "buffer", bodyLimit: largestObjectBytes },
    (_request: unknown, body: Buffer, done: (error: null, body: Buffer) => void) =>
      done(null, body),
  );
  app.addHook("preHandler", async (request, reply) => {
    if (request.url.startsWith("/_fauxqs/")) return;
    const caller = readAccessKeyId(readAuthorization(request.raw));
    const target = request.headers["x-amz-target"];
    if (typeof target === "string") {
      const refusal = guard(caller, [sqsAccess(target.split(".")[1] ?? "", request.body)]);
      if (refusal === undefined) return;
      await reply
        .code(400)
        .header("content-type", "application/x-amz-json-1.0")
        .send({ __type: "com.amazon.coral.service#AccessDeniedException", message: refusal });
      return;
    }
    const copySource = request.headers["x-amz-copy-source"];
    const accesses = s3Access({
      method: request.method,
      url: request.url,
      copySource: typeof copySource === "string" ? copySource : undefined,
    });
    const refusal = accesses
      ? guard(caller, accesses)
      : "the local stack does not support this request";
    if (refusal !== undefined) {
      await reply.code(403).header("content-type", "application/xml").send(deniedXml(refusal));
    }
  });
  app.addHook("onSend", async (request, reply) => {
    if (reply.statusCode === 200) reply.headers(readResponseOverrides(request.method, request.url));
  });
  await app.ready();

  return {
    handle: (request, response) => app.routing(request, response),
    settle,
    close: async () => {
      sqsStore.shutdown();
      await app.close();
      persistence.close();
    },
  };
};

/**
 * Receives in one transaction: a move to the dead-letter queue is a delete and an insert, between which a crash
 * would lose the message.
 */
const receiveInTransaction = (queue: SqsQueue, database: DatabaseSync): void => {
  const dequeue = queue.dequeue.bind(queue);
  queue.dequeue = (...args) => {
    database.exec("BEGIN");
    try {
      const received = dequeue(...args);
      database.exec("COMMIT");
      return received;
    } catch (error) {
      // SQLite itself has rolled back after some errors, such as those of a full disk.
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  };
};

const deniedXml = (message: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>${message.replaceAll(/[<&>]/g, "")}</Message></Error>`;
