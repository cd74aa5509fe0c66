import type { GuardrailCheck } from "../../engine/guardrails/schemas.ts";
import type { ProviderType } from "../../engine/models/provider-settings.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ValidationIssue } from "../../platform/http/problems.ts";
import { findBuiltIn } from "../../tenancy/llm-provider/built-in-providers.ts";
import { getProvider } from "../../tenancy/llm-provider/store.ts";

/** A provider that a check names. */
type Named = {
  readonly pointer: string;
  readonly providerId: string;
  /** Types of providers that the check can ask; undefined: all. */
  readonly types?: readonly ProviderType[];
};

/** Finds the providers that checks name and that do not exist, or are of another type. */
export const findWrongProviders = async (
  db: Database,
  tenantId: TenantId,
  checks: readonly GuardrailCheck[],
): Promise<ValidationIssue[]> => {
  const named = checks.flatMap((check, at) => listNamed(check, `/checks/${at}`));
  const ids = [...new Set(named.map(({ providerId }) => providerId))];
  const found = new Map(
    await Promise.all(
      ids.map(async (id) => {
        const provider = findBuiltIn(id) ?? (await getProvider(db, tenantId, id));
        return [id, provider?.type] as const;
      }),
    ),
  );
  return named.flatMap(({ pointer, providerId, types }) => {
    const type = found.get(providerId);
    if (!type) return [{ pointer, detail: `there is no model provider "${providerId}"` }];
    if (!types || types.some((one) => one === type)) return [];
    const detail = `must be a provider of type ${types.join(" or ")}; "${providerId}" is of type ${type}`;
    return [{ pointer, detail }];
  });
};

const listNamed = (check: GuardrailCheck, place: string): Named[] => {
  switch (check.type) {
    case "Judge":
      return [{ pointer: `${place}/llm/providerId`, providerId: check.llm.providerId }];
    case "Moderation": {
      const types = ["openai", "openai-compatible"] as const;
      return [{ pointer: `${place}/providerId`, providerId: check.providerId, types }];
    }
    case "Bedrock": {
      const { providerId } = check;
      return providerId ? [{ pointer: `${place}/providerId`, providerId, types: ["bedrock"] }] : [];
    }
    default:
      return [];
  }
};
