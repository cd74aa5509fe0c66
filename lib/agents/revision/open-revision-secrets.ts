import * as z from "zod";
import type { SealContext, SealedValue, Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Secrets } from "./secrets.ts";

const StoredSecrets = z.record(z.string(), z.string());

/** Returns the encryption context of a revision's secrets. */
export const sealContext = (tenantId: TenantId, agentId: string): SealContext => ({
  tenantId,
  agentId,
});

/** Decrypts the secrets of a revision, by path. */
export const openRevisionSecrets = async (
  sealer: Sealer,
  tenantId: TenantId,
  agentId: string,
  sealed: SealedValue | null,
): Promise<Secrets> =>
  sealed ? StoredSecrets.parse(await sealer.open(sealed, sealContext(tenantId, agentId))) : {};
