import { findPreset } from "../../platform/auth/scopes.ts";
import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { KeyContext } from "./audit-event.ts";
import { enqueueKeyEvents } from "./enqueue-key-events.ts";
import type { ApiKeyItem } from "./items.ts";
import { requirePlace, tooManyKeys } from "./key-count.ts";
import { readExpiry, requireOwnExpiry, requireOwnScopes } from "./key-rules.ts";
import { newApiKey } from "./new-api-key.ts";
import type { GenerateApiKeyBody } from "./schemas.ts";
import { putNewApiKey } from "./store.ts";

/**
 * Creates a key of the caller's organization. The key is returned once and only its hash is stored.
 * Throws 409 at the organization's limit of active keys, 400 unless the body has exactly one of `scopes` and `preset` and a future expiry, and 403 for scopes that
 * the caller lacks and for an expiry later than the caller's own.
 */
export const generateApiKey = async (
  deps: { db: Database; prefix: string; send: Send; maxKeys?: number },
  { ctx, body }: { ctx: KeyContext; body: GenerateApiKeyBody },
): Promise<{ item: ApiKeyItem; key: string }> => {
  const now = ctx.clock();
  const scopes = wantedScopes(body);
  const expiresAt = readExpiry(body.expiresAt ?? null, now);
  requireOwnScopes(scopes, ctx.principal);
  requireOwnExpiry(expiresAt, ctx.principal);

  const wanted = { name: body.name, scopes, expiresAt };
  const { item, key, event } = newApiKey(ctx, deps.prefix, wanted);
  const { db, maxKeys } = deps;
  const outcome = await retryOnConflict(
    { attempts: 3, error: () => tooManyKeys(maxKeys) },
    async () => {
      const written = await putNewApiKey(db, item, event, maxKeys);
      if (written !== "full") return written;
      await requirePlace(db, item.organizationId, now, maxKeys);
      return "changed";
    },
  );
  if (outcome === "taken") throw new Error("a new API key met an item under its own id");
  await enqueueKeyEvents(deps.send, item, event);
  return { item, key };
};

const wantedScopes = ({ scopes, preset }: GenerateApiKeyBody): string[] => {
  if ((scopes === undefined) === (preset === undefined)) {
    throw validationFailed([{ pointer: "", detail: "send exactly one of scopes and preset" }]);
  }
  if (scopes) return [...new Set(scopes)];
  const expanded = findPreset(preset ?? "");
  if (!expanded) {
    throw validationFailed([
      { pointer: "/preset", detail: "must be Runner, Builder, Read-only or Admin" },
    ]);
  }
  return [...expanded];
};
