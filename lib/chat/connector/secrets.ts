import * as z from "zod";
import { openOnce } from "../../platform/db/open-once.ts";
import type { SealContext, SealedValue, Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ChatParameters } from "../../vendors/chat-provider.ts";
import type { ConnectorItem } from "./items.ts";

const Stored = z.record(z.string(), z.string());

const buildSealContext = (tenantId: TenantId, connectorId: string): SealContext => ({
  tenantId,
  connectorId,
});

/** Encrypts a connector's credentials, bound to that connector; null when there are none. */
export const sealSecrets = async (
  sealer: Sealer,
  tenantId: TenantId,
  connectorId: string,
  secrets: ChatParameters,
): Promise<SealedValue | null> =>
  Object.keys(secrets).length > 0
    ? sealer.seal(JSON.stringify(secrets), buildSealContext(tenantId, connectorId))
    : null;

/** Decrypts a connector's credentials, cached per instance. */
export const openConnectorSecrets = async (
  sealer: Sealer,
  tenantId: TenantId,
  { id, secrets }: Pick<ConnectorItem, "id" | "secrets">,
): Promise<ChatParameters> =>
  secrets
    ? Stored.parse(JSON.parse(await openOnce(sealer, secrets, buildSealContext(tenantId, id))))
    : {};

/** Returns a connector's parameters with decrypted credentials. Never leaves the function. */
export const openParameters = async (
  sealer: Sealer,
  tenantId: TenantId,
  item: Pick<ConnectorItem, "id" | "secrets" | "parameters">,
): Promise<ChatParameters> => ({
  ...item.parameters,
  ...(await openConnectorSecrets(sealer, tenantId, item)),
});
