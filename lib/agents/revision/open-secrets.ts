import * as z from "zod";
import type { SealContext, SealedValue, Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Secrets } from "./secrets.ts";

const StoredSecrets = z.record(z.string(), z.string());

/** What a revision's secrets belong to. */
export const sealContext = (tenantId: TenantId, agentId: string): SealContext => ({
  tenantId,
  agentId,
});

/** The secrets of a revision, by place. */
export const openSecrets = async (
  sealer: Sealer,
  tenantId: TenantId,
  agentId: string,
  sealed: SealedValue | null,
): Promise<Secrets> =>
  sealed ? StoredSecrets.parse(await sealer.open(sealed, sealContext(tenantId, agentId))) : {};
