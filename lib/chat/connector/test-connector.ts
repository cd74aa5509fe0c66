import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { ProviderApiError, refusalIn } from "../../platform/outgoing/provider-api-error.ts";
import { type Calling, createProviderFetch } from "../../platform/outgoing/provider-fetch.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { chatProvider } from "../../vendors/registry/find-chat-provider.ts";
import { requireConnector } from "./require-connector.ts";
import type { ConnectorTest } from "./schemas.ts";
import { openParameters } from "./secrets.ts";

const maxMs = 15_000;

/** Tests a connector's credentials with a call to its provider. Throws 404. */
export const testConnector = async (
  deps: Calling & { db: Database; sealer: Sealer },
  {
    ctx,
    ...input
  }: { ctx: Pick<TenantContext, "clock" | "tenant">; agentId: string; connectorId: string },
): Promise<ConnectorTest> => {
  const tenantId = ctx.tenant.id;
  const { connector } = await requireConnector(deps.db, tenantId, input);
  const parameters = await openParameters(deps.sealer, tenantId, connector);
  const now = ctx.clock();
  const fetch = createProviderFetch(deps, now + maxMs);
  const outcome = await chatProvider(connector.provider)
    .test({ connectorId: connector.id, parameters, fetch, now })
    .then(() => ({ ok: true, detail: null, upstreamStatus: null }), toOutcome);
  return { ...outcome, latencyMs: ctx.clock() - now };
};

const toOutcome = (error: unknown) => {
  const refusal = refusalIn(error);
  if (!refusal) throw error;
  const status = error instanceof ProviderApiError ? error.status : undefined;
  return { ok: false, detail: refusal.reason, upstreamStatus: status ?? null };
};
