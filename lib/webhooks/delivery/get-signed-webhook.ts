import { type CountDeps, windowOf } from "../../platform/auth/count-requests.ts";
import { senderRateKey } from "../../platform/auth/keys.ts";
import { counted, requireWithinLimit } from "../../platform/auth/rate-limit.ts";
import { readCounter } from "../../platform/auth/store.ts";
import { getNamedItems } from "../../platform/db/get-items.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { webhookKey } from "../keys.ts";
import { WebhookItem } from "../webhook/items.ts";

/**
 * Reads a webhook and the failed signatures of a source address there, in one round trip. Throws 429 for an address
 * over its limit. Failures are counted per webhook, because a provider's users share its addresses.
 */
export const getSignedWebhook = async (
  { db, limits }: CountDeps,
  tenantId: TenantId,
  { webhookId, address, now }: { webhookId: string; address: string; now: number },
): Promise<WebhookItem | undefined> => {
  const { webhook, failures } = await getNamedItems(db, {
    webhook: webhookKey(tenantId, webhookId),
    failures: senderRateKey({ address, webhookId }),
  });
  const window = windowOf(limits, now);
  const { count, windowStart } = readCounter(failures, window);
  // Counts this request, in case it fails.
  const next = { count: count + 1, windowStart };
  requireWithinLimit(counted(next, limits.unauthenticatedRequests, window), now);
  return webhook && WebhookItem.parse(webhook);
};
