import { ToolError, type ToolRegistry } from "../../engine/tools/tool.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { findPublishedConfig } from "../config/published-store.ts";
import { type FindPeople, findNoPeople } from "../connection/connection-owner.ts";
import type { LoadConfigTools } from "./config-tools.ts";

/** Returns a registry of the built-in tools and those of the tenant's published configs. */
export const tenantTools = (
  { db, builtIn, loadTools }: { db: Database; builtIn: ToolRegistry; loadTools: LoadConfigTools },
  { tenantId, people = findNoPeople }: { tenantId: TenantId; people?: FindPeople | undefined },
): ToolRegistry => ({
  ...builtIn,
  async load({ integrationId, toolId, configId }, context) {
    const named = configId ?? (await findPublishedConfig(db, tenantId, integrationId));
    if (named === undefined) {
      throw new ToolError(`The integration "${integrationId}" has no published config.`);
    }
    const tools = await loadTools(
      tenantId,
      { integrationId, configId: named },
      { ...context, people },
    );
    const tool = tools.get(toolId);
    if (tool) return tool;
    throw new ToolError(
      `The config "${named.slice(0, 64)}" of "${integrationId}" has no tool "${toolId.slice(0, 128)}".`,
    );
  },
});
