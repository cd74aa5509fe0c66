import { vectorStore } from "../../lib/knowledge/index/vector-store.ts";
import { searchTenant } from "../../lib/knowledge/search/search-tenant.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import type { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { bedrockModels, outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { countEmbeddings } from "../../lib/spending/usage/count-other-usage.ts";
import { providerRegistry } from "../../lib/tenancy/llm-provider/registry.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (tenantId: TenantId) => {
  const storage = { db: database(), objects: objectStore(), sealer: kmsSealer() };
  const outgoing = { ...outgoingSettings(), bedrockModels: bedrockModels() };
  const models = providerRegistry({ ...storage, outgoing, tenantId });
  return { ...storage, vectors: vectorStore(), models, countEmbeddings };
};

export const handler = endpoint(rows.searchAssets, async ({ ctx, body }) => ({
  items: await searchTenant(deps(ctx.tenant.id), { ctx, body }),
}));
