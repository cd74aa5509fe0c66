import * as z from "zod";
import type { SealContext, SealedValue, Sealer } from "../db/seal.ts";
import type { TenantId } from "../tenant/tenant-id.ts";

const mostOpened = 200;

/** Opened keys by what they belong to and their seal, of which no two are alike. */
const opened = new Map<string, string>();

const contextOf = (tenantId: TenantId, providerId: string): SealContext => ({
  tenantId,
  providerId,
});

/** Encrypts a provider's API key, for that provider alone. */
export const sealApiKey = (
  sealer: Sealer,
  tenantId: TenantId,
  providerId: string,
  apiKey: string,
): Promise<SealedValue> => sealer.seal(apiKey, contextOf(tenantId, providerId));

/** A provider's API key. What this instance opened once it need not have opened again. */
export const openApiKey = async (
  sealer: Sealer,
  tenantId: TenantId,
  providerId: string,
  sealed: SealedValue,
): Promise<string> => {
  const { dataKey, nonce, tag, ciphertext } = sealed;
  const seal = [dataKey, nonce, tag, ciphertext].map((part) =>
    Buffer.from(part).toString("base64"),
  );
  const name = [tenantId, providerId, ...seal].join(" ");
  const known = opened.get(name);
  if (known !== undefined) return known;
  const apiKey = z.string().parse(await sealer.open(sealed, contextOf(tenantId, providerId)));
  if (opened.size >= mostOpened) opened.clear();
  opened.set(name, apiKey);
  return apiKey;
};
