import { once } from "node:events";
import { parentPort } from "node:worker_threads";
import { Pool } from "undici";
import * as z from "zod";
import { createAuthenticator } from "../access/authenticator.ts";
import { createCallCounts } from "../access/call-counts.ts";
import { createGuard } from "../access/guard.ts";
import { compactHeap } from "../compact-heap.ts";
import { openSchedules } from "../schedules/start-schedules.ts";
import { createAuthorizer } from "../template/authorizer.ts";
import { createVectorsEndpoint } from "../vectors/endpoint.ts";
import { createDynamodbEndpoint } from "./dynamodb.ts";
import { createEndpoint, jwksPath } from "./endpoint.ts";
import { startQueuesAndBuckets } from "./fauxqs.ts";
import { createKmsEndpoint } from "./kms.ts";
import { createSesEndpoint } from "./ses.ts";
import type { StorageThreadCommand, StorageThreadMessage } from "./thread-messages.ts";

const Command = z.custom<StorageThreadCommand>((value) => typeof value === "object");

const send = (message: StorageThreadMessage): void => parentPort?.postMessage(message);

/** Starts the services; returns the function that stops them. */
const configure = async ({
  data,
}: Extract<StorageThreadCommand, { type: "configure" }>): Promise<() => Promise<void>> => {
  const counts = createCallCounts(data.sharedCounts);
  const print = (line: string): void => send({ type: "print", line });
  const guard = createGuard(createAuthorizer(data.statements), counts, print);
  const engine = new Pool(data.dynamodbEndpoint);
  const queuesAndBuckets = await startQueuesAndBuckets({ ...data, guard });
  const vectors = createVectorsEndpoint(data.vectorDirectory, data.vectorBuckets, guard);
  const queueArns = data.queues.map(({ arn }) => arn);
  const schedules = openSchedules({ ...data, queueArns, guard, print });
  const server = createEndpoint({
    authenticate: createAuthenticator(data.secret, [jwksPath]),
    dynamodb: createDynamodbEndpoint(engine, guard, data.partitionKeys),
    kms: createKmsEndpoint(data.keys, data.keyFile, guard),
    ses: createSesEndpoint(data.outboxDirectory, guard),
    queuesAndBuckets,
    vectors,
    schedules,
    counts,
    jwks: data.jwks,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const listeningPort = typeof address === "object" && address ? address.port : 0;
  schedules.start(`http://127.0.0.1:${listeningPort}`);
  send({ type: "listening", port: listeningPort });
  return async () => {
    await schedules.close();
    server.close();
    server.closeAllConnections();
    await queuesAndBuckets.close();
    vectors.close();
    await engine.destroy();
  };
};

let stop: Promise<() => Promise<void>> | undefined;

parentPort?.on("message", async (value) => {
  const command = Command.parse(value);
  if (command.type === "configure") {
    stop = configure(command);
    await stop;
  } else if (command.type === "compact") {
    compactHeap();
  } else {
    await (await stop)?.();
    parentPort?.close();
  }
});
