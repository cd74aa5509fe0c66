import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { authorizeEffect } from "../../tenancy/collaborator/authorize.ts";
import { effects } from "../../tenancy/collaborator/may.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { chatProvider } from "../../vendors/registry/find-chat-provider.ts";
import { checkConnectorParameters } from "./check-connector-parameters.ts";
import type { ConnectorItem } from "./items.ts";
import { requireAgent } from "./require-connector.ts";
import type { Connector, CreateConnectorBody } from "./schemas.ts";
import { sealSecrets } from "./secrets.ts";
import { hasMostConnectors, maxConnectors, putNewConnector } from "./store.ts";
import { toConnector } from "./to-connector.ts";

/**
 * Creates a connector. Throws 403 for a caller who may not run the agent, 404 for an unknown agent, 400 for
 * invalid parameters and 409 when the limit is reached.
 */
export const createConnector = async (
  { db, sealer, outgoing }: { db: Database; sealer: Sealer; outgoing: OutgoingOptions },
  {
    ctx,
    agentId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal" | "baseUrl">;
    agentId: string;
    body: CreateConnectorBody;
  },
): Promise<Connector> => {
  const tenantId = ctx.tenant.id;
  const { principal } = ctx;
  await authorizeEffect(db, { principal, tenantId }, effects.run, [agentId]);
  const agent = await requireAgent(db, tenantId, agentId);
  const provider = chatProvider(body.provider);
  const { parameters, secrets } = checkConnectorParameters(
    provider,
    body.parameters ?? {},
    outgoing,
  );
  if (await hasMostConnectors(db, tenantId, agentId)) {
    throw conflict(`This agent has reached its limit of ${maxConnectors} connectors.`);
  }
  const id = newUuid(ctx);
  const now = ctx.clock();
  const item: ConnectorItem = {
    id,
    name: body.name ?? provider.displayName,
    agentId,
    provider: body.provider,
    parameters,
    active: body.active ?? true,
    policy: body.policy ?? "AllowAll",
    onBoardingMessage: body.onBoardingMessage ?? null,
    createdAt: now,
    modifiedAt: now,
    secrets: await sealSecrets(sealer, tenantId, id, secrets),
    version: 1,
  };
  if ((await putNewConnector(db, tenantId, item)) === "gone") throw notFound("agent", agentId);
  return toConnector(ctx, item, agent);
};
