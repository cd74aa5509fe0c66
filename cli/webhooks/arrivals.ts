import { unwrapBody } from "../../client/client.ts";
import type { WebhookDelivery } from "../../client/openapi.ts";
import { iterateItems } from "../../client/pages.ts";
import { everyFewSeconds } from "../follow.ts";
import type { Session } from "../session.ts";

type Options = {
  webhook: string;
  /** Number of earlier deliveries to begin with. */
  replayLast: number;
  intervalSeconds: number;
  signal: AbortSignal;
};

/** Ids sort by time to the millisecond; a delivery may be listed after one that was received later. */
const toleranceMs = 60_000;

/**
 * Iterates over the deliveries of a webhook, oldest first and without duplicates: the last ones,
 * then new ones.
 */
export async function* arrivals(
  session: Session,
  { webhook, replayLast, intervalSeconds, signal }: Options,
): AsyncGenerator<WebhookDelivery, void, undefined> {
  const seen = new Map<string, number>();
  const earlier = await newest(
    session,
    webhook,
    ({ receivedAt }, [first, ...more]) =>
      first === undefined ||
      more.length + 1 < replayLast ||
      receivedAt >= first.receivedAt - toleranceMs,
  );
  for (const { id, receivedAt } of earlier) seen.set(id, receivedAt);
  yield* earlier.slice(0, replayLast).toReversed();
  let latest = earlier[0]?.receivedAt ?? 0;
  for await (const _ of everyFewSeconds(intervalSeconds, signal)) {
    const since = latest - toleranceMs;
    const recent = await newest(session, webhook, ({ receivedAt }) => receivedAt >= since);
    const arrived = recent.filter(({ id }) => !seen.has(id));
    for (const { id, receivedAt } of arrived) seen.set(id, receivedAt);
    latest = Math.max(latest, ...arrived.map(({ receivedAt }) => receivedAt));
    for (const [id, receivedAt] of seen) if (receivedAt < since) seen.delete(id);
    yield* arrived.toReversed();
  }
}

/** Lists the newest deliveries as long as a condition holds, newest first. */
const newest = async (
  { client, tenant }: Session,
  webhook: string,
  isWanted: (delivery: WebhookDelivery, found: readonly WebhookDelivery[]) => boolean,
): Promise<WebhookDelivery[]> => {
  const found: WebhookDelivery[] = [];
  const items = iterateItems(
    (query) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/webhooks/{webhook}/deliveries", {
          params: { path: { tenant, webhook }, query },
        }),
      ),
    { pageSize: 50 },
  );
  for await (const delivery of items) {
    if (!isWanted(delivery, found)) break;
    found.push(delivery);
  }
  return found;
};
