import type { Database } from "../../platform/db/database.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { isKept } from "../../tenancy/tenant/retention.ts";
import { requireWebhook } from "../webhook/require-webhook.ts";
import type { Delivery } from "../webhook/schemas.ts";
import { latestResults } from "./latest-results.ts";
import { loadOutcomes } from "./load-outcomes.ts";
import { listDeliveryResults } from "./result-store.ts";
import { listDeliveries } from "./store.ts";
import { toDelivery } from "./to-delivery.ts";

/** Maximum results in one response: 200 deliveries, to 2,000 subscribers per delivery, would be too large. */
const maxInResponse = 10_000;

/**
 * Lists a webhook's deliveries with their results, newest first. A page with too many results ends early and the
 * next one continues there. Throws 404 for an unknown webhook.
 */
export const listDeliveriesWithResults = async (
  { db }: { db: Database },
  {
    ctx,
    webhookId,
    page,
    maxResults = maxInResponse,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant">;
    webhookId: string;
    page: PageRequest;
    maxResults?: number;
  },
): Promise<Page<Delivery>> => {
  const tenantId = ctx.tenant.id;
  await requireWebhook(db, tenantId, webhookId);
  const found = await listDeliveries(db, tenantId, webhookId, page);
  const kept = found.items.filter((item) => isKept(item, ctx.clock()));
  const results = await listDeliveryResults(db, tenantId, kept, maxResults);
  const current = await loadOutcomes(db, tenantId, results.flat());
  const byDelivery = Map.groupBy(current, ({ delivery }) => delivery);
  const items = kept
    .slice(0, results.length)
    .map((item) => toDelivery(item, latestResults(byDelivery.get(item.id) ?? [])));
  if (items.length < kept.length) return { items, nextPageToken: String(page.skip + items.length) };
  return { items, nextPageToken: found.nextPageToken };
};
