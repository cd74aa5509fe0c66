import type { Database } from "../../platform/db/database.ts";
import { Problem } from "../../platform/http/problems.ts";
import { toMessage } from "../../platform/outbox/to-message.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { formatOtlp, spanKinds } from "../../platform/tracing/otlp.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { type CallDeps, callDestination, exportTrace } from "./call-destination.ts";
import { requireEventDestination } from "./require-event-destination.ts";
import type { EventDestinationTest } from "./schemas.ts";

/**
 * Sends one signed `destination.test` event, or a trace of one span, and returns the response status. Throws 404, 502 when the destination
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
  const now = ctx.clock();
  const send = (): Promise<number> =>
    destination.type === "otlp"
      ? exportTrace(callDeps, { destination, body: sampleTrace(ctx, tenantId) })
      : callDestination(callDeps, { destination, ...message });
  const callDeps = { ...deps, clock: ctx.clock };
  const message = toMessage({
    id: `destination.test:${newUuid(ctx)}`,
    type: "destination.test",
    organizationId,
    tenantId,
    agentId: null,
    occurredAt: now,
    data: { eventDestinationId: destinationId },
  });
  try {
    return { status: await send() };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const slug = error.timedOut ? "upstream-timeout" : "upstream-failed";
    const members = { upstream: error.upstream };
    throw new Problem(slug, error.message, { members, cause: error });
  }
};

const sampleTrace = (
  { clock, randomBytes }: Pick<TenantContext, "clock" | "randomBytes">,
  tenantId: string,
): string => {
  const id = newUuid({ clock, randomBytes }).replaceAll("-", "");
  const time = clock();
  const span = {
    traceId: id,
    spanId: id.slice(16),
    flags: "01",
    name: "destination.test",
    kind: spanKinds.internal,
    startTime: time,
    endTime: time,
    attributes: {},
  };
  return formatOtlp({ "wharf.tenant.id": tenantId }, [span]);
};
