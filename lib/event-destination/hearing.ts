import type { Database } from "../db/database.ts";
import type { OrganizationEvent } from "../event/organization-event.ts";
import { findTenantOwner } from "../tenant/store.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { allEventDestinations } from "./store.ts";

/** Whose a tenant is (undefined when it is gone), and of which types of event its organization's destinations hear. */
export type Hearing = {
  organizationId: string | undefined;
  types: ReadonlySet<OrganizationEvent["type"]>;
};

const keptMs = 60_000;
const mostKept = 1_000;
const known = new Map<TenantId, { until: number; hearing: Hearing }>();

/**
 * Who hears of what happens in a tenant. Asked for with every execution, so what was found is kept in the
 * instance for a minute: a destination that was just made may miss what happens in that minute.
 */
export const hearingOf = async (
  db: Database,
  tenantId: TenantId,
  now: number,
): Promise<Hearing> => {
  const kept = known.get(tenantId);
  if (kept && kept.until > now) return kept.hearing;
  const organizationId =
    kept?.hearing.organizationId ?? (await findTenantOwner(db, tenantId))?.organizationId;
  const destinations = organizationId ? await allEventDestinations(db, organizationId) : [];
  const types = destinations.flatMap(({ active, eventTypes }) => (active ? eventTypes : []));
  const hearing = { organizationId, types: new Set(types) };
  if (known.size >= mostKept) known.clear();
  known.set(tenantId, { until: now + keptMs, hearing });
  return hearing;
};
