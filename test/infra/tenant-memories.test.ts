import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { DeleteVectorsCommand, S3VectorsClient } from "@aws-sdk/client-s3vectors";
import { afterAll, expect, test } from "vitest";
import { createVectorsEndpoint } from "../../infra/local/vectors/endpoint.ts";
import type { Installation } from "../../infra/tenant/installation.ts";
import { reindexMemories } from "../../infra/tenant/reindex-memories.ts";
import { deleteIndex, putVectors, StoredVector } from "../../infra/tenant/vectors.ts";
import { toNamespacePlace } from "../../lib/memory/keys.ts";
import { toFactVectorKey } from "../../lib/memory/memory-item.ts";
import { ReindexMemoriesMessage } from "../../lib/memory/messages.ts";
import { reindexMemories as embedAgain } from "../../lib/memory/reindex-memories.ts";
import { countEmbeddings } from "../../lib/spending/usage/count-other-usage.ts";
import { putNewTenant } from "../../lib/tenancy/tenant/store.ts";
import { updateTenant } from "../../lib/tenancy/tenant/update-tenant.ts";
import { testMemories } from "../harness/memories.ts";
import { testDatabase } from "../harness/table.ts";
import { removeFolders, temporaryFolder } from "../local/fixture-stack.ts";

const vectorBucketArn = "arn:aws:s3vectors:us-east-1:000000000000:bucket/knowledge";
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
  removeFolders();
});

/** Starts the local vector service. */
const startVectors = async (): Promise<S3VectorsClient> => {
  const service = createVectorsEndpoint(temporaryFolder(), ["knowledge"], () => undefined);
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    service.handle("operator", { operation: (request.url ?? "").slice(1), body }, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.close();
    server.closeAllConnections();
    service.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return new S3VectorsClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    credentials: { accessKeyId: "operator", secretAccessKey: "local" },
  });
};

test("the command to reindex requests each namespace without its vectors, or of another model than the tenant's, and no other", async () => {
  const db = await testDatabase();
  const world = testMemories(db, (prompt, { system }) =>
    system?.includes("long-term memory")
      ? JSON.stringify({ facts: [prompt.slice(0, 99)] })
      : "Yes.",
  );
  const { tenantId, tenant } = world;
  const { ctx } = tenant;
  const times = { createdAt: ctx.clock(), modifiedAt: ctx.clock() };
  const slug = `t-${tenantId}`.slice(0, 20);
  await putNewTenant(db, { ...ctx.tenant, slug, displayName: "T", ...times });
  for (const agentId of ["friend", "host", "silent"]) await world.deployWith(agentId, {});
  await world.runTurn("friend", "ada", "I drink tea.");
  await world.runTurn("friend", "bob", "I ride a bicycle.");
  await world.runTurn("host", "ada", "I live in Kyiv.");

  const sent: unknown[] = [];
  const installation = {
    db,
    vectors: await startVectors(),
    vectorBucketArn,
    send: async (queue: string, group: string, message: unknown) => {
      expect([queue, group]).toEqual(["evaluations", tenantId]);
      sent.push(message);
    },
  } as unknown as Installation;
  const { all } = tenant.deps.vectors;
  /** Copies the vectors that the product wrote into the installation. */
  const copyVectors = async () => {
    for (const [index, stored] of all) {
      const found = stored.list("", 100, { values: true });
      await deleteIndex(installation, index);
      await putVectors(
        installation,
        index,
        found.map((vector) => StoredVector.parse(vector)),
      );
    }
  };
  const request = () => reindexMemories(installation, tenantId, ctx.clock());
  /** Processes the messages; returns the number of them. */
  const work = async () => {
    const messages = sent.splice(0).map((message) => ReindexMemoriesMessage.parse(message));
    for (const message of messages) {
      const deadline = ctx.clock() + 60_000;
      await embedAgain({ ...world.deps, countEmbeddings }, { message, deadline });
    }
    await copyVectors();
    return messages.length;
  };

  await copyVectors();
  expect(await request()).toEqual([]);

  const [fact] = await world.list("friend", "bob");
  const [index = ""] = all.keys();
  const indexArn = `${vectorBucketArn}/index/${index}`;
  const keys = [toFactVectorKey("friend", fact?.id ?? "")];
  await installation.vectors.send(new DeleteVectorsCommand({ indexArn, keys }));
  expect(await request()).toEqual([{ agentId: "friend", namespaces: 1 }]);
  const { digest } = toNamespacePlace(tenantId, "friend", "bob");
  expect(sent).toEqual([{ type: "reindex-memories", tenantId, agentId: "friend", digest }]);
  expect(await work()).toBe(1);
  expect(await request()).toEqual([]);

  await deleteIndex(installation, index);
  const both = [
    { agentId: "friend", namespaces: 2 },
    { agentId: "host", namespaces: 1 },
  ];
  expect(await request()).toEqual(both);
  expect(await work()).toBe(3);

  const embedding = { providerId: "echo", model: "echo-2" };
  await updateTenant({ db }, { ctx, body: { embedding } });
  expect(await request()).toEqual(both);
  expect(await work()).toBe(3);
  expect(await request()).toEqual([]);
  expect(sent).toEqual([]);
});
