import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { ownerOf } from "../../tenancy/tenant/owner-of.ts";
import { allEventDestinations } from "./store.ts";

/** An organization and the event types its active destinations subscribe to. */
export type Audience = { organizationId: string; types: ReadonlySet<OrganizationEvent["type"]> };

/** Finds the event types subscribed to by a tenant's organization; undefined when the tenant is deleted. */
export const findAudience = async (
  db: Database,
  tenantId: TenantId,
): Promise<Audience | undefined> => {
  const owner = await ownerOf(db, tenantId);
  if (!owner) return undefined;
  const { organizationId } = owner;
  const destinations = await allEventDestinations(db, organizationId);
  const types = destinations.flatMap(({ active, eventTypes }) => (active ? eventTypes : []));
  return { organizationId, types: new Set(types) };
};
