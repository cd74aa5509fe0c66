import * as z from "zod";
import type { SealContext, SealedValue, Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { mask } from "../../platform/http/mask.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import type { Source } from "../../vendors/source.ts";
import { toSourceType } from "../sources/source-type.ts";

/** Values of a source's parameters. */
export type ParameterValues = Readonly<Record<string, string>>;

const Stored = z.record(z.string(), z.string());

const buildSealContext = (tenantId: TenantId, assetId: string): SealContext => ({
  tenantId,
  assetId,
});

/** Returns parameters as they are stored: credentials masked, and apart from them encrypted for this asset alone. */
export const toStoredParameters = async (
  sealer: Sealer,
  { tenantId, assetId }: { tenantId: TenantId; assetId: string },
  source: Source,
  values: ParameterValues,
): Promise<{ parameters: ParameterValues; secrets: SealedValue | null }> => {
  const secret = new Set(
    toSourceType(source).parameters.flatMap((parameter) =>
      parameter.secret ? [parameter.name] : [],
    ),
  );
  const entries = Object.entries(values);
  const secrets = Object.fromEntries(entries.filter(([name]) => secret.has(name)));
  return {
    parameters: Object.fromEntries(
      entries.map(([name, value]) => [name, secret.has(name) ? mask : value]),
    ),
    secrets:
      Object.keys(secrets).length > 0
        ? await sealer.seal(secrets, buildSealContext(tenantId, assetId))
        : null,
  };
};

/** Decrypts an asset's credentials. */
export const openSourceCredentials = async (
  sealer: Sealer,
  { tenantId, assetId }: { tenantId: TenantId; assetId: string },
  sealed: SealedValue | null,
): Promise<ParameterValues> =>
  sealed ? Stored.parse(await sealer.open(sealed, buildSealContext(tenantId, assetId))) : {};

/** Replaces masks with the stored credentials. Throws 400 for a mask without a stored value. */
export const unmaskParameters = (
  sent: Readonly<Record<string, unknown>>,
  stored: ParameterValues,
): Record<string, unknown> => {
  const masked = Object.entries(sent).filter(([, value]) => value === mask);
  const missing = masked.filter(([name]) => !Object.hasOwn(stored, name));
  if (missing.length > 0) {
    throw validationFailed(
      missing.map(([name]) => ({
        pointer: `/parameters/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
        detail: "is masked, but no credential is stored here",
      })),
    );
  }
  return { ...sent, ...Object.fromEntries(masked.map(([name]) => [name, stored[name]])) };
};
