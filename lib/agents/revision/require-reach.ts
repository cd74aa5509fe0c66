import type { Principal } from "../../platform/auth/principal.ts";
import type { ScopeName } from "../../platform/auth/scopes.ts";
import type { Database } from "../../platform/db/database.ts";
import { ChosenId } from "../../platform/http/ids.ts";
import { insufficientScope } from "../../platform/http/problems.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { isRecord } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import { partScopes, requirePartReach } from "../skill/require-reach-of-parts.ts";
import { getSkillParts } from "../skill/store.ts";
import type { RevisionContent } from "./content.ts";

/** Skills that are looked at for a caller who may not read integrations or assets. */
const maxSkills = 50;

/**
 * Throws 403 when a revision names assets, integration configs or webhooks that the caller may not read: its executions would
 * read them for the caller.
 */
export const requireReach = (principal: Principal, content: RevisionContent): void => {
  const steps = content.flow.steps.flatMap(withInner);
  if (namesAssets(content, steps)) requireScope(principal, "assets:read");
  const namesWebhook = steps.some(({ type, event }) => type === "Wait" && isRecord(event));
  if (namesWebhook || namesConfigs(content, steps)) requireScope(principal, "integrations:read");
};

/** Throws 403 when the skills of a checked revision name integration configs or assets that the caller may not read. */
export const requireSkillReach = async (
  db: Database,
  { principal, tenant }: Pick<TenantContext, "principal" | "tenant">,
  { flow }: Pick<RevisionContent, "flow">,
): Promise<void> => {
  if (partScopes.every((scope) => hasScope(principal, scope))) return;
  const named = flow.steps.flatMap(withInner).flatMap((step) => toArray(step.skills));
  const ids = [...new Set(named.flatMap((id) => ChosenId.safeParse(id).data ?? []))];
  if (ids.length > maxSkills) for (const scope of partScopes) requireScope(principal, scope);
  requirePartReach(principal, await getSkillParts(db, tenant.id, ids));
};

const requireScope = (principal: Principal, scope: ScopeName): void => {
  if (!hasScope(principal, scope)) throw insufficientScope(scope);
};

type Step = Record<string, unknown>;

/** Returns a step and the steps within it. */
const withInner = (step: unknown): Step[] =>
  isRecord(step) ? [step, ...withInner(step.step)] : [];

const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const namesAssets = (
  { assets, parametersMetadata, subAgents }: RevisionContent,
  steps: readonly Step[],
): boolean =>
  assets.length > 0 ||
  steps.some((step) => toArray(step.assets).length > 0) ||
  [parametersMetadata, ...subAgents.map((subAgent) => subAgent.parametersMetadata)].some(
    hasAssetDefault,
  );

const hasAssetDefault = (descriptors: readonly ParameterDescriptor[]): boolean =>
  descriptors.some(({ type, defaultValue }) => type === "Asset" && defaultValue !== null);

const namesConfigs = ({ integrationConfigs }: RevisionContent, steps: readonly Step[]): boolean =>
  integrationConfigs.length > 0 ||
  steps.some((step) => [step, ...toArray(step.tools)].some(hasConfig));

const hasConfig = (value: unknown): boolean =>
  isRecord(value) && value.configId !== undefined && value.configId !== null;
