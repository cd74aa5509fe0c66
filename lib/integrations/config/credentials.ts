import * as z from "zod";
import type { SealContext, SealedValue, Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { mask } from "../../platform/http/mask.ts";
import { validationFailed } from "../../platform/http/problems.ts";

/** Credentials of a config, by name. */
export type Credentials = Record<string, string>;

const Stored = z.record(z.string(), z.string());

const contextOf = (tenantId: TenantId, integrationConfigId: string): SealContext => ({
  tenantId,
  integrationConfigId,
});

/** Encrypts a config's credentials, for that config alone; null when there are none. */
export const sealCredentials = async (
  sealer: Sealer,
  tenantId: TenantId,
  configId: string,
  credentials: Credentials,
): Promise<SealedValue | null> =>
  Object.keys(credentials).length > 0
    ? sealer.seal(credentials, contextOf(tenantId, configId))
    : null;

/** The credentials that were sealed. */
export const openCredentials = async (
  sealer: Sealer,
  tenantId: TenantId,
  configId: string,
  sealed: SealedValue | null,
): Promise<Credentials> =>
  sealed ? Stored.parse(await sealer.open(sealed, contextOf(tenantId, configId))) : {};

/** The credentials with a mask for each value. */
export const maskCredentials = (credentials: Credentials): Credentials =>
  Object.fromEntries(Object.keys(credentials).map((name) => [name, mask]));

/** Whether a mask stands for any of the credentials. */
export const keepsAny = (sent: Credentials): boolean => Object.values(sent).includes(mask);

/** What was sent, with what is stored in place of masks. Throws 400 for a mask where nothing is stored. */
export const unmask = (sent: Credentials, stored: Credentials): Credentials => {
  const missing = Object.entries(sent).filter(
    ([name, value]) => value === mask && !Object.hasOwn(stored, name),
  );
  if (missing.length > 0) {
    throw validationFailed(
      missing.map(([name]) => ({
        pointer: `/auth/parameters/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
        detail: "is masked, but no secret is stored here",
      })),
    );
  }
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      value === mask ? (stored[name] ?? "") : value,
    ]),
  );
};
