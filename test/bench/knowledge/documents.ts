import { readdirSync, readFileSync } from "node:fs";
import { echoModel } from "../../../lib/engine/models/echo.ts";
import { isManaged, type ManagedAsset } from "../../../lib/knowledge/asset/asset-item.ts";
import { createAsset } from "../../../lib/knowledge/asset/create-asset.ts";
import {
  type IndexDocumentDeps,
  indexDocument,
} from "../../../lib/knowledge/document/index-document.ts";
import type { Database } from "../../../lib/platform/db/database.ts";
import { indexingDeps } from "../../harness/knowledge.ts";
import { testTenant } from "../../harness/tenant.ts";

/** A tenant with an asset, indexed in this process, with vectors and texts in memory. */
export type BenchAsset = {
  tenant: ReturnType<typeof testTenant<Database>>;
  asset: ManagedAsset;
  deps: IndexDocumentDeps;
  index: (name: string, text: string) => Promise<void>;
};

const { signal } = new AbortController();

/** Creates an asset with the chunks of a deployment. */
export const createBenchAsset = async (db: Database): Promise<BenchAsset> => {
  const tenant = testTenant(db);
  const asset = await createAsset(
    { ...tenant.deps, outgoing: {}, sources: [] },
    { ctx: tenant.ctx, body: { id: "docs", displayName: "Docs", type: "upload" } },
  );
  if (!isManaged(asset)) throw new Error("the asset has no source");
  const place = { tenantId: tenant.ctx.tenant.id, indexId: asset.indexId };
  const deps = { ...indexingDeps(tenant, echoModel), chunking: { size: 512, overlap: 64 } };
  const index = async (name: string, text: string): Promise<void> => {
    const document = { documentId: name, name, link: null, metadata: {}, version: null, text };
    await indexDocument(deps, { asset, place, signal, document });
  };
  return { tenant, asset, deps, index };
};

const folder = new URL("../../../docs/", import.meta.url);

/** Returns the pages of docs: name and text. */
export const readPages = (): [name: string, text: string][] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => [name, readFileSync(new URL(name, folder), "utf8")]);
