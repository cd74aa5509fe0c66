import type { Database } from "../db/database.ts";
import type { OrganizationEvent } from "../event/organization-event.ts";
import { ownerOf } from "../tenant/owner-of.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { allEventDestinations } from "./store.ts";

/** An organization, and which types of event its destinations hear of. */
export type Hearing = { organizationId: string; types: ReadonlySet<OrganizationEvent["type"]> };

/** Who hears of what happens in a tenant; undefined when the tenant is gone. */
export const findHearing = async (
  db: Database,
  tenantId: TenantId,
): Promise<Hearing | undefined> => {
  const owner = await ownerOf(db, tenantId);
  if (!owner) return undefined;
  const { organizationId } = owner;
  const destinations = await allEventDestinations(db, organizationId);
  const types = destinations.flatMap(({ active, eventTypes }) => (active ? eventTypes : []));
  return { organizationId, types: new Set(types) };
};
