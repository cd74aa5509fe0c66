import type { Database } from "../../platform/db/database.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import type { ApiKeyItem } from "./items.ts";
import { putNewApiKey } from "./store.ts";

/** A key that another system issued under an earlier prefix, by its SHA-256. */
export type ForeignKey = {
  organizationId: string;
  name: string;
  scopes: string[];
  prefix: string;
  sha256: string;
};

/** The user who runs the import, for the audit event. */
export const importer = { type: "User", id: "import-key", email: null } as const;

/** Imports a key by its hash; rotating it gives it the current prefix. Returns "taken" when the hash exists, "full" at the limit. */
export const importApiKey = async (
  db: Database,
  runtime: Runtime,
  foreign: ForeignKey,
): Promise<{ outcome: "written" | "taken" | "full"; id: string }> => {
  const now = runtime.clock();
  const item: ApiKeyItem = {
    ...foreign,
    id: newUuid(runtime),
    last4: "",
    previousSecrets: [],
    version: 1,
    createdAt: now,
    createdBy: { type: importer.type, id: importer.id },
    modifiedAt: now,
    rotatedAt: null,
    lastUsedAt: 0,
    expiresAt: null,
    revokedAt: null,
    userIds: [],
  };
  const outcome = await putNewApiKey(db, item, {
    id: newUuid(runtime),
    apiKeyId: item.id,
    type: "Issued",
    actor: importer,
    previousScopes: null,
    newScopes: item.scopes,
    previousExpiresAt: null,
    newExpiresAt: null,
    requestContext: {
      requestId: newUuid(runtime),
      sourceIp: "",
      userAgent: "import-key",
      method: "",
      path: "",
    },
    createdAt: now,
  });
  return { outcome, id: item.id };
};
