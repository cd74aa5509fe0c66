import type { TenantContext } from "../../edge/context.ts";
import { effects } from "../../platform/auth/may.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { conflict, validationFailed } from "../../platform/http/problems.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { authorize } from "../../tenancy/collaborator/authorize.ts";
import { chatProvider } from "../providers/index.ts";
import { checkParameters } from "./check-parameters.ts";
import type { ConnectorItem } from "./items.ts";
import { requireConnector } from "./require-connector.ts";
import type { Connector, UpdateConnectorBody } from "./schemas.ts";
import { openSecrets, sealSecrets } from "./secrets.ts";
import { replaceConnector } from "./store.ts";
import { toConnector } from "./to-connector.ts";

const attempts = 3;

type Deps = { db: Database; sealer: Sealer; outgoing: OutgoingOptions };

/**
 * Changes a connector. Throws 403 for a change by which people reach an agent that the caller could not run, 404, and
 * 400 for another provider and for parameters that it cannot have.
 */
export const updateConnector = async ({
  ctx,
  input: { agentId, connectorId, body },
  deps,
}: {
  ctx: Pick<TenantContext, "clock" | "tenant" | "principal">;
  input: { agentId: string; connectorId: string; body: UpdateConnectorBody };
  deps: Deps;
}): Promise<Connector> => {
  const tenantId = ctx.tenant.id;
  const { principal } = ctx;
  if (opensAgent(body)) {
    await authorize(deps.db, { principal, tenantId }, effects.run, [agentId]);
  }
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const place = { agentId, connectorId };
    const { agent, connector: before } = await requireConnector(deps.db, tenantId, place);
    if (body.provider !== undefined && body.provider !== before.provider) {
      const detail = `cannot change: it is ${before.provider}. Create another connector`;
      throw validationFailed([{ pointer: "/provider", detail }]);
    }
    const after: ConnectorItem = {
      ...before,
      ...(await parametersOf(deps, ctx, before, body)),
      name: body.name ?? before.name,
      active: body.active ?? before.active,
      policy: body.policy ?? before.policy,
      onBoardingMessage:
        body.onBoardingMessage === undefined ? before.onBoardingMessage : body.onBoardingMessage,
      modifiedAt: ctx.clock(),
    };
    if ((await replaceConnector(deps.db, tenantId, after)) === "written") {
      return toConnector(tenantId, after, agent);
    }
  }
  throw conflict(`The connector "${connectorId}" is being changed by others. Try again.`);
};

/** Whether a change may let people reach the agent who did not before; to switch off or rename is none. */
const opensAgent = ({ parameters, active, policy }: UpdateConnectorBody): boolean =>
  parameters !== undefined || active === true || (policy !== undefined && policy !== "DenyAll");

const parametersOf = async (
  { sealer, outgoing }: Deps,
  { tenant }: Pick<TenantContext, "tenant">,
  before: ConnectorItem,
  body: UpdateConnectorBody,
): Promise<Partial<ConnectorItem>> => {
  if (body.parameters === undefined) return {};
  const stored = await openSecrets(sealer, tenant.id, before);
  const { parameters, secrets } = checkParameters(
    chatProvider(before.provider),
    body.parameters,
    outgoing,
    { parameters: before.parameters, secrets: stored },
  );
  return { parameters, secrets: await sealSecrets(sealer, tenant.id, before.id, secrets) };
};
