import type { ToolDescriptor } from "../../engine/tools/tool.ts";
import { cutPage } from "../../platform/http/cut-page.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { IntegrationTool } from "../catalog/schemas.ts";
import { findCaller } from "../connection/connection-owner.ts";
import { describeAuth } from "./describe-auth.ts";
import { type FindToolsDeps, findTools } from "./find-tools.ts";
import { toolTimeMs, withinTime } from "./tool-problem.ts";

/**
 * Returns a page of an integration's tools, in the integration's order. The first page bypasses the cache of
 * configured tools. Throws 400, 404, and 422, 502 or 504 for failures of the config's integration.
 */
export const listTools = async (
  deps: FindToolsDeps,
  {
    ctx,
    integrationId,
    configId,
    page,
  }: {
    ctx: Pick<TenantContext, "tenant" | "principal" | "clock">;
    integrationId: string;
    configId: string | undefined;
    page: PageRequest;
  },
): Promise<Page<IntegrationTool>> => {
  const tools = await withinTime(
    { ms: toolTimeMs, integrationId, caller: ctx.principal },
    (signal) =>
      findTools(deps, {
        tenantId: ctx.tenant.id,
        integrationId,
        configId,
        pointer: "query/configId",
        signal,
        processor: new ProcessorBudget(ctx.tenant.id, processorLimits.requestMs),
        isFresh: page.skip === 0,
        people: findCaller(ctx.principal),
      }),
  );
  const auth = await describeAuth(deps, { ctx, integrationId, configId });
  const end = page.skip + page.size;
  const items = [...tools.values()]
    .slice(page.skip, end)
    .map(({ descriptor }) => toIntegrationTool(integrationId, descriptor, auth));
  return cutPage({ items, nextPageToken: end < tools.size ? String(end) : null }, page);
};

const toIntegrationTool = (
  integrationId: string,
  descriptor: ToolDescriptor,
  authSettings: IntegrationTool["authSettings"],
): IntegrationTool => ({
  id: descriptor.id,
  slug: descriptor.id,
  integrationId,
  agentId: null,
  displayName: descriptor.displayName,
  description: descriptor.description,
  toolType: "Integration",
  actionType: descriptor.actionType,
  resultType: descriptor.resultType,
  authSettings,
  flow: { steps: [], edges: [] },
  parametersMetadata: [...descriptor.parametersMetadata],
  useSession: false,
  avatarFileId: null,
});
