import type { Database } from "../../platform/db/database.ts";
import type { SealedValue, Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import type { AgentItem } from "../agent/store.ts";
import { openRevisionSecrets, sealContext } from "./open-revision-secrets.ts";
import type { Secrets } from "./secrets.ts";
import { getRevisionContent } from "./store.ts";

/**
 * Seals the secrets of a new revision: new values, and stored ones in place of masks. Throws 400
 * for a mask without a stored secret.
 */
export const mergeSecrets = async (
  deps: Deps,
  input: { tenantId: TenantId; agent: AgentItem; sent: SentSecrets },
): Promise<SealedValue | null> => {
  const { tenantId, agent } = input;
  const secrets = await readMergedSecrets(deps, input);
  if (Object.keys(secrets).length === 0) return null;
  return deps.sealer.seal(secrets, sealContext(tenantId, agent.id));
};

type Deps = { db: Database; sealer: Sealer };

/** Secrets of a revision as they were sent: new values, and masks of stored ones. */
export type SentSecrets = { secrets: Secrets; kept: { place: string; pointer: string }[] };

/** Returns the secrets of a revision: new values, and stored ones in place of masks. Throws as `mergeSecrets`. */
export const readMergedSecrets = async (
  deps: Deps,
  { tenantId, agent, sent }: { tenantId: TenantId; agent: AgentItem; sent: SentSecrets },
): Promise<Secrets> => {
  const stored = sent.kept.length > 0 ? await latestSecrets(deps, tenantId, agent) : {};
  const missing = sent.kept.filter(({ place }) => !Object.hasOwn(stored, place));
  if (missing.length > 0) {
    throw validationFailed(
      missing.map(({ pointer }) => ({
        pointer,
        detail: "is masked, but no secret is stored here",
      })),
    );
  }
  const kept = Object.fromEntries(sent.kept.map(({ place }) => [place, stored[place] ?? ""]));
  return { ...sent.secrets, ...kept };
};

const latestSecrets = async (
  deps: { db: Database; sealer: Sealer },
  tenantId: TenantId,
  agent: AgentItem,
): Promise<Secrets> => {
  if (agent.latestRevision === null) return {};
  const item = await getRevisionContent(deps.db, tenantId, agent.id, agent.latestRevision);
  return openRevisionSecrets(deps.sealer, tenantId, agent.id, item?.secrets ?? null);
};
