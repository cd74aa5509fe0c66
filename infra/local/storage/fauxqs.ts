import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { buildApp } from "fauxqs";
import * as z from "zod";
import { PersistenceManager } from "../../../node_modules/fauxqs/dist/persistence.js";
import { S3Store } from "../../../node_modules/fauxqs/dist/s3/s3Store.js";
import { SnsStore } from "../../../node_modules/fauxqs/dist/sns/snsStore.js";
import { SqsQueue, SqsStore } from "../../../node_modules/fauxqs/dist/sqs/sqsStore.js";
import { authorizationOf, callerOf } from "../access/caller.ts";
import { s3Access } from "../access/s3.ts";
import { sqsAccess } from "../access/sqs.ts";
import { localAccount, localRegion } from "../template/physical.ts";
import type { LocalQueue } from "../template/storage.ts";
import type { Guard } from "./guard.ts";

/** SQS and S3 on this machine. */
export type QueuesAndBuckets = {
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  close: () => Promise<void>;
};

type Options = {
  dataDirectory: string;
  queues: readonly LocalQueue[];
  buckets: readonly string[];
  guard: Guard;
};

/**
 * Queues and buckets in fauxqs, kept in SQLite under `dataDirectory`. fauxqs' own entry listens on every
 * interface, so its parts are put together here and served by our server on the loopback.
 *
 * A commit is not waited for until it is on the disk: it survives the death of this process at any moment,
 * a power cut may take the last of them.
 */
export const startQueuesAndBuckets = async ({
  dataDirectory,
  queues,
  buckets,
  guard,
}: Options): Promise<QueuesAndBuckets> => {
  const sqsStore = new SqsStore();
  const snsStore = new SnsStore();
  const s3Store = new S3Store();
  const persistence = new PersistenceManager(dataDirectory);
  returnMessagesInFlight(dataDirectory);
  const database = z.instanceof(DatabaseSync).parse(Reflect.get(persistence, "db"));
  database.exec("PRAGMA synchronous = NORMAL");
  persistence.load(sqsStore, snsStore, s3Store);
  sqsStore.persistence = persistence;
  s3Store.persistence = persistence;
  for (const queue of sqsStore.allQueues()) queue.persistence = persistence;
  receiveInOneTransaction(database);

  for (const { name, arn, attributes } of queues) {
    const existing = sqsStore.getQueueByName(name);
    if (existing) existing.setAttributes({ RedrivePolicy: "", ...attributes });
    else sqsStore.createQueue(name, `http://localhost/${localAccount}/${name}`, arn, attributes);
  }
  for (const bucket of buckets) {
    if (!s3Store.hasBucket(bucket)) s3Store.createBucket(bucket);
  }

  const app = buildApp({
    logger: false,
    defaultRegion: localRegion,
    stores: { sqsStore, snsStore, s3Store },
  });
  app.addHook("preHandler", async (request, reply) => {
    if (request.url.startsWith("/_fauxqs/")) return;
    const caller = callerOf(authorizationOf(request.raw));
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
      : "the local stack does not know this request";
    if (refusal !== undefined) {
      await reply.code(403).header("content-type", "application/xml").send(deniedXml(refusal));
    }
  });
  await app.ready();

  return {
    handle: (request, response) => app.routing(request, response),
    close: async () => {
      sqsStore.shutdown();
      await app.close();
      persistence.close();
    },
  };
};

/** Nobody can still be working on a message when the stack starts, so none waits for its visibility timeout. */
const returnMessagesInFlight = (dataDirectory: string): void => {
  const database = new DatabaseSync(join(dataDirectory, "fauxqs.db"));
  database.exec("UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL");
  database.close();
};

let wrapped = false;
let current: DatabaseSync | undefined;

/** A move to a dead-letter queue is a delete and an insert: in one transaction nothing falls between them. */
const receiveInOneTransaction = (database: DatabaseSync): void => {
  current = database;
  if (wrapped) return;
  wrapped = true;
  const dequeue = SqsQueue.prototype.dequeue;
  SqsQueue.prototype.dequeue = function dequeueAtOnce(this: SqsQueue, ...rest) {
    current?.exec("BEGIN");
    try {
      return dequeue.apply(this, rest);
    } finally {
      current?.exec("COMMIT");
    }
  };
};

const deniedXml = (message: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>${message.replaceAll(/[<&>]/g, "")}</Message></Error>`;
