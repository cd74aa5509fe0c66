import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { beingChanged, validationFailed } from "../../platform/http/problems.ts";
import { parseDestination } from "../../platform/outgoing/destination.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { checkMembers } from "./check-members.ts";
import { checkUrl } from "./check-url.ts";
import { requireEventDestination } from "./require-event-destination.ts";
import { requireEventScopes } from "./require-event-scopes.ts";
import type { EventDestination, UpdateEventDestinationBody } from "./schemas.ts";
import { newSecret, sealDestinationSecret, sealHeaders } from "./secret.ts";
import { changeEventDestination } from "./store.ts";
import { subscribedTypes } from "./subscribed-types.ts";
import { toEventDestination } from "./to-event-destination.ts";

/** Period in which the previous secret also signs after a rotation. */
const graceMs = 24 * 3_600_000;

/**
 * Updates a destination; the response contains the signing secret when it was rotated. Throws 404, 400 for a URL
 * that is not allowed or changed without `rotateSecret`, 403 for event types the caller may not read, and 409 on
 * concurrent rotations.
 */
export const updateEventDestination = async (
  { db, sealer, outgoing }: { db: Database; sealer: Sealer; outgoing: OutgoingOptions },
  {
    ctx,
    destinationId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal">;
    destinationId: string;
    body: UpdateEventDestinationBody;
  },
): Promise<EventDestination> => {
  const { organizationId } = ctx.tenant;
  const { rotateSecret, endpoint, headers, ...given } = body;
  const url = given.url ?? endpoint;
  const members = { ...given, ...(url !== undefined && { url }) };
  if (url !== undefined) checkUrl(url, outgoing, endpoint === undefined ? "/url" : "/endpoint");
  return retryOnConflict(
    {
      attempts: 3,
      error: () => beingChanged("event destination", destinationId),
    },
    async () => {
      const before = await requireEventDestination(db, organizationId, destinationId);
      checkMembers(before.type, body);
      const { type } = before;
      const eventTypes = members.eventTypes ?? before.eventTypes;
      requireEventScopes(subscribedTypes({ type, eventTypes }), ctx.principal);
      const isMoved = members.url !== undefined && isElsewhere(members.url, before.url);
      if (isMoved && type === "otlp" && headers === undefined && before.headers !== null) {
        const detail = "must be sent, or null, when the endpoint moves to another host";
        throw validationFailed([{ pointer: "/headers", detail }]);
      }
      if (isMoved && type === "webhook" && !rotateSecret) {
        const detail =
          "must be true when url changes: a signing secret is valid only for the url it was created for";
        throw validationFailed([{ pointer: "/rotateSecret", detail }]);
      }
      const now = ctx.clock();
      const secret = rotateSecret ? newSecret(ctx) : null;
      const rotated = secret !== null && {
        secret: await sealDestinationSecret(sealer, before, secret),
        previousSecret: isMoved ? null : { secret: before.secret, until: now + graceMs },
      };
      const sealed = headers !== undefined && (await sealHeaders(sealer, before, headers));
      const changed = { ...members, ...rotated, ...sealed, modifiedAt: now };
      const known = {
        ...(rotated && { secret: before.secret }),
        ...(isMoved && { url: before.url }),
      };
      const after = await changeEventDestination(db, before, changed, known);
      return after ? toEventDestination(after, secret) : "changed";
    },
  );
};

const isElsewhere = (url: string, before: string): boolean =>
  parseDestination(url) !== parseDestination(before);
