import { isConfigured } from "../../engine/tools/configured-integrations.ts";
import {
  getIntegrationConfigs,
  type IntegrationConfigItem,
  listIntegrationConfigs,
} from "../../integrations/config/store.ts";
import type { Database } from "../../platform/db/database.ts";
import { didYouMean } from "../../platform/http/nearest-name.ts";
import type { ValidationIssue } from "../../platform/http/problems.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { existingSkills, listSkillItems } from "../skill/store.ts";
import type { RevisionContent } from "./content.ts";
import { skillsInFlow, toolsInFlow } from "./flow-parts.ts";

type Caller = Pick<TenantContext, "principal" | "tenant">;

/** Finds the skills that Prompts name and that do not exist; suggests others to a caller who may list them. */
export const findUnknownSkills = async (
  db: Database,
  { principal, tenant }: Caller,
  content: RevisionContent,
): Promise<ValidationIssue[]> => {
  const named = skillsInFlow(content);
  const ids = [...new Set(named.map(({ id }) => id))];
  const found = new Set(await existingSkills(db, tenant.id, ids));
  const unknown = named.filter(({ id }) => !found.has(id));
  if (unknown.length === 0) return [];
  const page = { size: suggestedFrom, skip: 0 };
  const mayList = hasScope(principal, "skills:read");
  const items = mayList ? (await listSkillItems(db, tenant.id, page)).items : [];
  const known = items.map(getId);
  return unknown.map(({ pointer, id }) => ({
    pointer,
    detail: didYouMean(`there is no skill "${shown(id)}"`, id, known),
  }));
};

/** Integration configs that a flow names, by id. */
export type NamedConfigs = ReadonlyMap<string, IntegrationConfigItem>;

/**
 * Reads the integration configs that a flow's tools name; finds those that do not exist or are of another integration.
 * Suggests others to a caller who may list them.
 */
export const findConfigs = async (
  db: Database,
  { principal, tenant }: Caller,
  content: RevisionContent,
): Promise<{ configs: NamedConfigs; errors: ValidationIssue[] }> => {
  const named = toolsInFlow(content).flatMap(({ pointer, integrationId, configId }) =>
    configId && isConfigured(integrationId) ? [{ pointer, integrationId, configId }] : [],
  );
  const ids = [...new Set(named.map(({ configId }) => configId))];
  const items = await getIntegrationConfigs(db, tenant.id, ids);
  const configs = new Map(items.map((item) => [item.id, item]));
  const wrong = named.filter(
    ({ configId, integrationId }) => configs.get(configId)?.integrationId !== integrationId,
  );
  if (wrong.length === 0) return { configs, errors: [] };
  const page = { size: suggestedConfigs, skip: 0 };
  const mayList = hasScope(principal, "integrations:read");
  const others = mayList ? (await listIntegrationConfigs(db, tenant.id, page)).items : [];
  const errors = wrong.map(({ pointer, configId, integrationId }) => {
    const config = configs.get(configId);
    const known = others.filter((other) => other.integrationId === integrationId);
    const detail = config
      ? `is a config of "${config.integrationId}", not of "${integrationId}"`
      : didYouMean(
          `there is no integration config "${shown(configId)}"`,
          configId,
          known.map(getId),
        );
    return { pointer: `${pointer}/configId`, detail };
  });
  return { configs, errors };
};

/** Items of a tenant among which the nearest name is looked for; a config may have 128 KiB. */
const suggestedFrom = 100;
const suggestedConfigs = 20;

const shown = (id: string): string => id.slice(0, 128);

const getId = ({ id }: { id: string }): string => id;
