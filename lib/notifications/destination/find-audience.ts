import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { findOwner } from "../../tenancy/tenant/find-owner.ts";
import { allEventDestinations } from "./store.ts";
import { subscribedTypes } from "./subscribed-types.ts";

/** An organization and the event types its active destinations subscribe to. */
export type Audience = { organizationId: string; types: ReadonlySet<OrganizationEvent["type"]> };

/** Time to live of an instance's cached destinations, in milliseconds. */
export const audienceKeptMs = 10_000;

const maxKept = 1_000;
type Kept = { until: number; types: Promise<Audience["types"]> };
const kept = new Map<string, Kept>();

/**
 * Finds the event types subscribed to by a tenant's organization; undefined when the tenant is deleted. What was
 * read is kept for ten seconds, so that not every execution reads it.
 */
export const findAudience = async (
  db: Database,
  tenantId: TenantId,
  now: number,
): Promise<Audience | undefined> => {
  const owner = await findOwner(db, tenantId, now);
  if (!owner) return undefined;
  const { organizationId } = owner;
  const known = kept.get(organizationId);
  if (known && now < known.until) return { organizationId, types: await known.types };
  const types = readTypes(db, organizationId);
  if (kept.size >= maxKept) kept.clear();
  kept.set(organizationId, { until: now + audienceKeptMs, types });
  types.catch(() => kept.delete(organizationId));
  return { organizationId, types: await types };
};

const readTypes = async (db: Database, organizationId: string): Promise<Audience["types"]> => {
  const destinations = await allEventDestinations(db, organizationId);
  return new Set(
    destinations.flatMap((destination) => (destination.active ? subscribedTypes(destination) : [])),
  );
};
