import type { Database } from "../../platform/db/database.ts";
import { webhookKey } from "../../platform/db/keys.ts";
import { openOnce } from "../../platform/db/open-once.ts";
import { patch } from "../../platform/db/patch-item.ts";
import type { SealContext, SealedValue, Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import type { WebhookItem } from "./items.ts";

const buildSealContext = (tenantId: TenantId, webhookId: string): SealContext => ({
  tenantId,
  webhookId,
});

/** Encrypts a signing secret, bound to its webhook. */
export const sealWebhookSecret = (
  sealer: Sealer,
  tenantId: TenantId,
  webhookId: string,
  secret: string,
): Promise<SealedValue> => sealer.seal(secret, buildSealContext(tenantId, webhookId));

/** Decrypts a webhook's signing secret, cached per instance; null when it has none. */
export const openSecret = async (
  sealer: Sealer,
  tenantId: TenantId,
  webhook: Pick<WebhookItem, "id" | "secret">,
): Promise<string | null> => {
  if (webhook.secret === null) return null;
  return openOnce(sealer, webhook.secret, buildSealContext(tenantId, webhook.id));
};

/** A secret learned from the provider. */
type Learning = {
  /** The webhook as read. */
  before: Pick<WebhookItem, "id" | "secret">;
  secret: string;
  /** Why the user must see the secret once; undefined when they need not. */
  showBecause?: string;
};

/** Saves a learned secret; "taken" when the webhook's secret changed since it was read, or the webhook was deleted. */
export const learnSecret = async (
  db: Database,
  sealer: Sealer,
  tenantId: TenantId,
  { before, secret, showBecause }: Learning,
): Promise<"written" | "taken"> => {
  const set = {
    secret: await sealWebhookSecret(sealer, tenantId, before.id, secret),
    isStandIn: false,
    ...(showBecause !== undefined && { isSecretToShow: true, statusReason: showBecause }),
  };
  const change = { set, expect: { secret: before.secret } };
  const { written } = await updateItem(db, patch(webhookKey(tenantId, before.id), change));
  return written ? "written" : "taken";
};
