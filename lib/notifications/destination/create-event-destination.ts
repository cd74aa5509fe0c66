import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { conflict } from "../../platform/http/problems.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { checkMembers, requiredMembers } from "./check-members.ts";
import { checkUrl } from "./check-url.ts";
import type { EventDestinationItem } from "./items.ts";
import { requireEventScopes } from "./require-event-scopes.ts";
import type { CreateEventDestinationBody, EventDestination } from "./schemas.ts";
import { newSecret, sealDestinationSecret, sealHeaders } from "./secret.ts";
import { allEventDestinations, maxEventDestinations, putEventDestination } from "./store.ts";
import { subscribedTypes } from "./subscribed-types.ts";
import { toEventDestination } from "./to-event-destination.ts";

/**
 * Creates an event destination for all tenants of the organization; only this response contains the signing
 * secret. Throws 400 for a URL that is not allowed, 403 for event types the caller may not read, and 409 when the
 * limit is reached.
 */
export const createEventDestination = async (
  { db, sealer, outgoing }: { db: Database; sealer: Sealer; outgoing: OutgoingOptions },
  {
    ctx,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal">;
    body: CreateEventDestinationBody;
  },
): Promise<EventDestination> => {
  const { organizationId } = ctx.tenant;
  const { type } = body;
  checkMembers(type, body, requiredMembers[type]);
  const url = (type === "otlp" ? body.endpoint : body.url) ?? "";
  const eventTypes = body.eventTypes ?? [];
  checkUrl(url, outgoing, type === "otlp" ? "/endpoint" : "/url");
  requireEventScopes(subscribedTypes({ type, eventTypes }), ctx.principal);
  const others = await allEventDestinations(db, organizationId);
  if (others.length >= maxEventDestinations) {
    const detail = `This organization has reached its limit of ${maxEventDestinations} event destinations.`;
    throw conflict(detail);
  }
  const id = newUuid(ctx);
  const now = ctx.clock();
  const secret = newSecret(ctx);
  const item: EventDestinationItem = {
    id,
    organizationId,
    type,
    url,
    eventTypes,
    content: type === "otlp" ? (body.content ?? "none") : null,
    ...(await sealHeaders(sealer, { organizationId, id }, body.headers)),
    description: body.description ?? null,
    active: body.active,
    lastDelivery: null,
    createdAt: now,
    modifiedAt: now,
    secret: await sealDestinationSecret(sealer, { organizationId, id }, secret),
    previousSecret: null,
  };
  await putEventDestination(db, item);
  return toEventDestination(item, type === "otlp" ? null : secret);
};
