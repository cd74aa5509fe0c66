import type { Database } from "../../platform/db/database.ts";
import { Problem } from "../../platform/http/problems.ts";
import { toMessage } from "../../platform/outbox/to-message.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { type CallDeps, callDestination } from "./call-destination.ts";
import { requireEventDestination } from "./require-event-destination.ts";
import type { EventDestinationTest } from "./schemas.ts";

/**
 * Sends one signed `destination.test` event and returns the response status. Throws 404, 502 when the destination
 * is unreachable and 504 on a timeout.
 */
export const testEventDestination = async (
  deps: { db: Database } & Omit<CallDeps, "clock">,
  {
    ctx,
    destinationId,
  }: { ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant">; destinationId: string },
): Promise<EventDestinationTest> => {
  const { organizationId, id: tenantId } = ctx.tenant;
  const destination = await requireEventDestination(deps.db, organizationId, destinationId);
  const message = toMessage({
    id: `destination.test:${newUuid(ctx)}`,
    type: "destination.test",
    organizationId,
    tenantId,
    agentId: null,
    occurredAt: ctx.clock(),
    data: { eventDestinationId: destinationId },
  });
  try {
    return { status: await callDestination({ ...deps, clock: ctx.clock }, destination, message) };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const slug = error.timedOut ? "upstream-timeout" : "upstream-failed";
    const members = { upstream: error.upstream };
    throw new Problem(slug, error.message, { members, cause: error });
  }
};
