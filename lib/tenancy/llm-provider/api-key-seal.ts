import { openOnce } from "../../platform/db/open-once.ts";
import type { SealContext, SealedValue, Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

const buildSealContext = (tenantId: TenantId, providerId: string): SealContext => ({
  tenantId,
  providerId,
});

/** Encrypts a provider's API key, for that provider alone. */
export const sealApiKey = (
  sealer: Sealer,
  tenantId: TenantId,
  providerId: string,
  apiKey: string,
): Promise<SealedValue> => sealer.seal(apiKey, buildSealContext(tenantId, providerId));

/** A provider's API key. What this instance opened once it need not have opened again. */
export const openApiKey = (
  sealer: Sealer,
  tenantId: TenantId,
  providerId: string,
  sealed: SealedValue,
): Promise<string> => openOnce(sealer, sealed, buildSealContext(tenantId, providerId));
