import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { ownerOf } from "../../tenancy/tenant/owner-of.ts";
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
