import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { inBatches } from "./in-batches.ts";
import { loadChunks } from "./load-chunks.ts";

test("the texts of small documents are kept, those of large ones only while they fit", {
  tags: "nightly",
}, async () => {
  const place = { tenantId: TenantId.parse(crypto.randomUUID()), indexId: "i" };
  const read: string[] = [];
  const objects = {
    get: async (key: string) => {
      const documentId = key.split("/").at(-2) ?? "";
      read.push(documentId);
      const text = "x".repeat(documentId.startsWith("large") ? 4_000_000 : 10);
      return gzipSync(JSON.stringify([{ text, heading: null, start: 0 }]));
    },
  };
  const load = (documentId: string) => loadChunks(objects, place, { documentId, hash: "h" });
  for (const documentId of ["small", "large-1", "large-2", "large-3", "large-4", "large-5"]) {
    await load(documentId);
    await load("small");
  }
  expect(read).toEqual(["small", "large-1", "large-2", "large-3", "large-4", "large-5"]);
  await load("large-5");
  await load("large-1");
  expect(read.slice(6)).toEqual(["large-1"]);
});

test("documents are loaded together while their weights fit, and alone if they are heavier", () => {
  expect([...inBatches([], Number, 10)]).toEqual([]);
  expect([...inBatches([4, 6, 1, 99, 10, 1], Number, 10)]).toEqual([[4, 6], [1], [99], [10], [1]]);
});
