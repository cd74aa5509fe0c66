import type { TenantContext } from "../http/endpoint.ts";
import type { Page, PageRequest } from "../http/paging.ts";
import type { ToolDescriptor } from "../tools/tool.ts";
import { type FindToolsDeps, findTools } from "./find-tools.ts";
import type { IntegrationTool } from "./schemas.ts";
import { toolTimeMs, withinTime } from "./tool-problem.ts";

/** A page may have fewer items than were asked for: a function answers with at most 6 MB. */
const maxPageBytes = 3 * 1024 * 1024;

/**
 * A page of the tools of an integration, in its own order; those of a config are looked up afresh on the first
 * page. Throws 404, 400, and as the config's integration does 422, 502 or 504.
 */
export const listTools = async ({
  ctx,
  input: { integrationId, configId, page },
  deps,
}: {
  ctx: Pick<TenantContext, "tenant">;
  input: { integrationId: string; configId: string | undefined; page: PageRequest };
  deps: FindToolsDeps;
}): Promise<Page<IntegrationTool>> => {
  const tools = await withinTime(toolTimeMs, integrationId, (signal) =>
    findTools(deps, {
      tenantId: ctx.tenant.id,
      integrationId,
      configId,
      pointer: "query/configId",
      signal,
      isFresh: page.skip === 0,
    }),
  );
  const items: IntegrationTool[] = [];
  let bytes = 0;
  for (const { descriptor } of [...tools.values()].slice(page.skip, page.skip + page.size)) {
    const item = toIntegrationTool(integrationId, descriptor);
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (bytes > maxPageBytes && items.length > 0) break;
    items.push(item);
  }
  const end = page.skip + items.length;
  return { items, nextPageToken: end < tools.size && items.length > 0 ? String(end) : null };
};

const toIntegrationTool = (integrationId: string, descriptor: ToolDescriptor): IntegrationTool => ({
  id: descriptor.id,
  slug: descriptor.id,
  integrationId,
  agentId: null,
  displayName: descriptor.displayName,
  description: descriptor.description,
  toolType: "Integration",
  actionType: descriptor.actionType,
  resultType: descriptor.resultType,
  authSettings: { supportsOAuth: false, oAuth: [] },
  flow: { steps: [], edges: [] },
  parametersMetadata: [...descriptor.parametersMetadata],
  useSession: false,
  avatarFileId: null,
});
