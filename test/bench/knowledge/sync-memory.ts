import * as z from "zod";
import { echoModel } from "../../../lib/engine/models/echo.ts";
import { createAsset } from "../../../lib/knowledge/asset/create-asset.ts";
import { getAsset } from "../../../lib/knowledge/asset/store.ts";
import { SyncAssetMessage } from "../../../lib/knowledge/messages.ts";
import { startSync } from "../../../lib/knowledge/sync/start-sync.ts";
import { syncAsset } from "../../../lib/knowledge/sync/sync-asset.ts";
import type { Database } from "../../../lib/platform/db/database.ts";
import { waitWithTimer } from "../../../lib/platform/runtime/wait.ts";
import { defineSource } from "../../../lib/vendors/source.ts";
import { indexingDeps } from "../../harness/knowledge.ts";
import { testTenant } from "../../harness/tenant.ts";

const megabyte = 1024 * 1024;
const runMs = 14 * 60_000;

/** A source of documents of about 400 tokens with different words. */
const manyDocuments = (documents: number) =>
  defineSource({
    key: "many",
    displayName: "Many",
    parameters: z.object({}),
    async *read() {
      for (let at = 0; at < documents; at += 1) {
        const text = `Document ${at}. ${`Some words of document ${at}. `.repeat(60)}`;
        yield { fileName: `${at}.md`, version: "1", text: [text] };
      }
    },
  });

/**
 * Synchronizes a source with a number of documents; texts and vectors are discarded. Returns the seconds of the first
 * synchronization and of one without changes, and the growth of the heap and of the process in MB.
 */
export const syncMemory = async (
  db: Database,
  documents: number,
): Promise<{ first: number; unchanged: number; heap: number; resident: number }> => {
  const tenant = testTenant(db);
  const deps = {
    ...indexingDeps(tenant, echoModel),
    chunking: { size: 512, overlap: 64 },
    objects: { ...tenant.deps.objects, put: async () => undefined },
    vectors: {
      ...tenant.deps.vectors,
      createIndex: async () => undefined,
      put: async () => undefined,
    },
    runtime: tenant.ctx,
    outgoing: {},
    sleep: waitWithTimer,
    sourcesFor: () => [manyDocuments(documents)],
  };
  const tenantId = tenant.ctx.tenant.id;
  const input = { id: "many", displayName: "Many", type: "many" };
  await createAsset({ ...deps, sources: deps.sourcesFor() }, { ctx: tenant.ctx, body: input });
  const sync = async (): Promise<number> => {
    const startedAt = performance.now();
    await startSync(deps, { tenantId, assetId: "many" });
    for (let next = tenant.sent.pop(); next; next = tenant.sent.pop()) {
      const until = tenant.ctx.clock() + runMs;
      await syncAsset(deps, {
        message: SyncAssetMessage.parse(next),
        receipt: { until, attempt: 1 },
      });
    }
    const { status, documentCount } = (await getAsset(db, tenantId, "many")) ?? {};
    if (status !== "Ready" || documentCount !== documents) throw new Error(`it is ${status}`);
    return (performance.now() - startedAt) / 1_000;
  };
  const before = process.memoryUsage();
  const most = { heap: 0, resident: 0 };
  const watch = setInterval(() => {
    const { heapUsed, rss } = process.memoryUsage();
    most.heap = Math.max(most.heap, heapUsed - before.heapUsed);
    most.resident = Math.max(most.resident, rss - before.rss);
  }, 20);
  try {
    const [first, unchanged] = [await sync(), await sync()];
    return {
      first,
      unchanged,
      heap: most.heap / megabyte,
      resident: most.resident / megabyte,
    };
  } finally {
    clearInterval(watch);
  }
};
