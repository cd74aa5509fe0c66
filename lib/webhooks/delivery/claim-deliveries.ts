import type { Database } from "../../platform/db/database.ts";
import { insertTogether } from "../../platform/db/insert-together.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { buildClaim, type DeliveryClaim, finishClaim } from "./finish-claim.ts";
import type { DeliveryFailure } from "./received-delivery.ts";
import { type ClaimedDelivery, claimDelivery } from "./store.ts";

/**
 * Stores every received delivery of a tenant once, new ones with one call together. Returns the outcomes or failures in their
 * order. No two may have the same delivery id or signed body.
 */
export const claimDeliveries = async (
  db: Database,
  tenantId: TenantId,
  claims: readonly DeliveryClaim[],
): Promise<(ClaimedDelivery | DeliveryFailure)[]> => {
  const [first, ...others] = claims;
  if (first && others.length === 0 && first.signedBody === undefined) {
    return [await claimDelivery(db, tenantId, first.item).catch(asFailure)];
  }
  const built = claims.map((claim) => buildClaim(tenantId, claim));
  const items = built.flat();
  const inserted = await insertTogether(db, items);
  const outcomes = new Map(items.map((item, at) => [item, inserted[at]]));
  return Promise.all(
    claims.map(async (claim, at) => {
      const results = (built[at] ?? []).map((item) => outcomes.get(item));
      return finishClaim(db, tenantId, claim, results).catch(asFailure);
    }),
  );
};

const asFailure = (failure: unknown): DeliveryFailure => ({ failure });
