import * as z from "zod";
import type { SealContext, SealedValue, Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { mask } from "../../platform/http/mask.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import { type OAuthSecretName, oauthSecretNames } from "./oauth-settings.ts";
import type { IntegrationContent } from "./schemas.ts";

/** Credentials of a config, by name. */
export type Credentials = Record<string, string>;

/** Adds the secrets of OAuth 2 to the credentials of a config. */
export const joinCredentials = (
  parameters: Credentials,
  secrets: { readonly [name in OAuthSecretName]?: string | null | undefined },
): Credentials => {
  const given = oauthSecretNames.flatMap((name) => {
    const value = secrets[name];
    return value == null ? [] : [[name, value] as const];
  });
  return { ...parameters, ...Object.fromEntries(given) };
};

const Stored = z.record(z.string(), z.string());

const buildSealContext = (tenantId: TenantId, integrationConfigId: string): SealContext => ({
  tenantId,
  integrationConfigId,
});

/**
 * Returns a config's content as it is stored: JSON with its credentials masked, and the credentials encrypted
 * for this config alone (null for none).
 */
export const toStoredContent = async (
  sealer: Sealer,
  tenantId: TenantId,
  configId: string,
  { content, credentials }: { content: IntegrationContent; credentials: Credentials },
): Promise<{ content: string; secrets: SealedValue | null }> => ({
  content: JSON.stringify(masked(content)),
  secrets:
    Object.keys(credentials).length > 0
      ? await sealer.seal(credentials, buildSealContext(tenantId, configId))
      : null,
});

const masked = ({ auth, ...content }: IntegrationContent): IntegrationContent => ({
  ...content,
  auth: auth && {
    ...auth,
    parameters: Object.fromEntries(Object.keys(auth.parameters).map((name) => [name, mask])),
  },
});

/** Decrypts a config's credentials. */
export const openConfigCredentials = async (
  sealer: Sealer,
  tenantId: TenantId,
  configId: string,
  sealed: SealedValue | null,
): Promise<Credentials> =>
  sealed ? Stored.parse(await sealer.open(sealed, buildSealContext(tenantId, configId))) : {};

/** Returns the names of the credentials that are masks. */
export const listMasked = (sent: Credentials): string[] =>
  Object.keys(sent).filter((name) => sent[name] === mask);

/** Replaces masks with the stored credentials. Throws 400 for a mask without a stored value. */
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
