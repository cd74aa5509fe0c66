import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { beingChanged, validationFailed } from "../../platform/http/problems.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { authorizeEffect } from "../../tenancy/collaborator/authorize.ts";
import { effects } from "../../tenancy/collaborator/may.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { chatProvider } from "../../vendors/registry/find-chat-provider.ts";
import { checkConnectorParameters } from "./check-connector-parameters.ts";
import type { ConnectorItem } from "./items.ts";
import { requireConnector } from "./require-connector.ts";
import type { Connector, UpdateConnectorBody } from "./schemas.ts";
import { openConnectorSecrets, sealSecrets } from "./secrets.ts";
import { replaceConnector } from "./store.ts";
import { toConnector } from "./to-connector.ts";

type Deps = { db: Database; sealer: Sealer; outgoing: OutgoingOptions };

/**
 * Updates a connector. Throws 403 when the change exposes an agent that the caller may not run, 404, and 400 for
 * another provider or invalid parameters.
 */
export const updateConnector = async (
  deps: Deps,
  {
    ctx,
    agentId,
    connectorId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant" | "principal" | "baseUrl">;
    agentId: string;
    connectorId: string;
    body: UpdateConnectorBody;
  },
): Promise<Connector> => {
  const tenantId = ctx.tenant.id;
  const { principal } = ctx;
  if (exposesAgent(body)) {
    await authorizeEffect(deps.db, { principal, tenantId }, effects.run, [agentId]);
  }
  return retryOnConflict(
    {
      attempts: 3,
      error: () => beingChanged("connector", connectorId),
    },
    async () => {
      const place = { agentId, connectorId };
      const { agent, connector: before } = await requireConnector(deps.db, tenantId, place);
      if (body.provider !== undefined && body.provider !== before.provider) {
        const detail = `cannot be changed from ${before.provider}: create another connector`;
        throw validationFailed([{ pointer: "/provider", detail }]);
      }
      const after: ConnectorItem = {
        ...before,
        ...(await resolveParameters(deps, ctx, before, body)),
        name: body.name ?? before.name,
        active: body.active ?? before.active,
        policy: body.policy ?? before.policy,
        onBoardingMessage:
          body.onBoardingMessage === undefined ? before.onBoardingMessage : body.onBoardingMessage,
        modifiedAt: ctx.clock(),
      };
      const outcome = await replaceConnector(deps.db, tenantId, after);
      return outcome === "changed" ? outcome : toConnector(ctx, after, agent);
    },
  );
};

/** Returns whether an update may give more people access to the agent. */
const exposesAgent = ({ parameters, active, policy }: UpdateConnectorBody): boolean =>
  parameters !== undefined || active === true || (policy !== undefined && policy !== "DenyAll");

const resolveParameters = async (
  { sealer, outgoing }: Deps,
  { tenant }: Pick<TenantContext, "tenant">,
  before: ConnectorItem,
  body: UpdateConnectorBody,
): Promise<Partial<ConnectorItem>> => {
  if (body.parameters === undefined) return {};
  const stored = await openConnectorSecrets(sealer, tenant.id, before);
  const { parameters, secrets } = checkConnectorParameters(
    chatProvider(before.provider),
    body.parameters,
    outgoing,
    { parameters: before.parameters, secrets: stored },
  );
  return { parameters, secrets: await sealSecrets(sealer, tenant.id, before.id, secrets) };
};
