import * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { openOnce } from "../../platform/db/open-once.ts";
import { patch } from "../../platform/db/patch-item.ts";
import { type SealContext, SealedValue, type Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { putItem, updateItem } from "../../platform/db/write-item.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import { signingSecretKey } from "./keys.ts";

type Deps = { db: Database; sealer: Sealer };

/** Purpose of signed addresses. Every purpose has its own secret. */
export type SigningPurpose = "feedback-links" | "approval-links" | "connection-links" | "callbacks";

type Signed = { tenantId: TenantId; purpose: SigningPurpose };

/**
 * A secret that signs addresses. `baseUrl`: of the API at the request that last gave one, for the addresses that
 * workers of a deployment without `PUBLIC_URL` make; null before.
 */
export type SigningSecret = { secret: string; baseUrl: string | null };

const Item = z.object({ secret: SealedValue, baseUrl: z.string().nullable() });

const buildSealContext = ({ tenantId, purpose }: Signed): SealContext => ({ tenantId, purpose });

/** TENANT#t / SIGNINGSECRET#purpose: reads the secret that signs a tenant's addresses; undefined before the first. */
export const getSigningSecret = async (
  { db, sealer }: Deps,
  signed: Signed,
): Promise<SigningSecret | undefined> => {
  const { tenantId, purpose } = signed;
  const item = await getItem(db, signingSecretKey(tenantId, purpose), Item);
  if (!item) return undefined;
  const secret = await openOnce(sealer, item.secret, buildSealContext(signed));
  return { secret, baseUrl: item.baseUrl };
};

/**
 * Returns the secret, made for the first address. Of concurrent callers all get the one that was written.
 * @param input `baseUrl`: kept with it, for workers; undefined where only requests make addresses
 */
export const provideSigningSecret = async (
  deps: Deps,
  {
    randomBytes,
    baseUrl,
    ...signed
  }: Signed & { randomBytes: Runtime["randomBytes"]; baseUrl?: string },
): Promise<string> => {
  const key = signingSecretKey(signed.tenantId, signed.purpose);
  const known = await getSigningSecret(deps, signed);
  if (known) {
    const isMoved = baseUrl !== undefined && known.baseUrl !== baseUrl;
    if (isMoved) await updateItem(deps.db, patch(key, { set: { baseUrl } }));
    return known.secret;
  }
  const generated = Buffer.from(randomBytes(32)).toString("base64url");
  const secret = await deps.sealer.seal(generated, buildSealContext(signed));
  await putItem(deps.db, { Item: { ...key, secret, baseUrl: baseUrl ?? null }, ...ifNew });
  const written = await getSigningSecret(deps, signed);
  if (!written) throw new Error(`the secret of ${signed.purpose} was not written`);
  return written.secret;
};
