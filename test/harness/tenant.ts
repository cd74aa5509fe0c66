import { randomUUID } from "node:crypto";
import { createAgent } from "../../lib/agents/agent/create-agent.ts";
import { getAgent } from "../../lib/agents/agent/store.ts";
import { getRevisionItem } from "../../lib/agents/revision/store.ts";
import { AssetItem } from "../../lib/knowledge/asset/asset-item.ts";
import { putNewAsset } from "../../lib/knowledge/asset/store.ts";
import type { Principal } from "../../lib/platform/auth/principal.ts";
import { presets } from "../../lib/platform/auth/scopes.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { defaultRetention } from "../../lib/tenancy/tenant/retention.ts";
import {
  memoryFiles,
  memoryObjects,
  memorySealer,
  memoryUploads,
  memoryVectors,
} from "./in-memory.ts";
import { testRuntime } from "./runtime.ts";

const uploadAsset = (now: number) => ({
  displayName: "Documents",
  type: "upload",
  parameters: {},
  embedding: { providerId: "echo", model: "echo-1" },
  indexedWith: { providerId: "echo", model: "echo-1" },
  indexId: randomUUID(),
  version: 1,
  createdAt: now,
  modifiedAt: now,
});

/** Creates a tenant, its admin and the dependencies of rules. */
export const testTenant = <Db extends Database>(db: Db) => {
  const organizationId = `org-${randomUUID()}`;
  const runtime = testRuntime();
  const principal: Principal = {
    type: "User",
    id: "admin",
    organizationId,
    scopes: presets.Admin,
    userIds: ["admin"],
    email: "admin@example.com",
    apiKey: null,
  };
  const sent: unknown[] = [];
  const objects = memoryObjects();
  const tenant = {
    id: TenantId.parse(randomUUID()),
    organizationId,
    retention: defaultRetention,
    embedding: null,
    guardrails: [],
  };
  const ctx = {
    ...runtime,
    tenant,
    principal,
    deadline: Number.MAX_SAFE_INTEGER,
    startedAt: runtime.clock(),
    requestId: "request-1",
    method: "POST",
    path: "/v1/tenants/t",
    baseUrl: "http://localhost",
    basePath: "",
    linkBase: "",
    consoleUrl: "https://wharf.example/console/",
    sourceIp: "203.0.113.7",
    userAgent: null,
    traceContext: undefined,
  };
  const deps = {
    db,
    getAgent,
    getRevision: getRevisionItem,
    objects,
    uploads: memoryUploads(objects),
    files: { objects: memoryFiles(objects), outgoing: { allowPrivateAddresses: true } },
    vectors: memoryVectors(),
    sealer: memorySealer(),
    outgoing: { allowPrivateAddresses: true },
    prefix: "wharf",
    bedrockModels: ["*"],
    findAgents: async (_tenantId: string, ids: readonly string[]) => ids,
    send: async (_queue: string, _tenant: string, message: unknown) => {
      sent.push(message);
    },
  };
  return {
    ctx,
    deps,
    sent,
    advance: runtime.advance,
    /** Creates an empty asset that takes uploads. */
    createAsset: (id: string, more: Partial<AssetItem> = {}) =>
      putNewAsset(db, tenant.id, AssetItem.parse({ ...uploadAsset(runtime.clock()), id, ...more })),
    createAgent: (id: string) => createAgent(deps, { ctx, body: { id, displayName: id } }),
  };
};
