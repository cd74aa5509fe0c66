import type { FlowFile } from "../engine/flow-file.ts";
import type { Principal } from "../platform/auth/principal.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { newUuid, type Runtime } from "../platform/runtime/runtime.ts";
import { type CreateFileDeps, createFile } from "./create-file.ts";
import { toFlowFile } from "./file-item.ts";
import { storedFileLimits } from "./limits.ts";
import { buildContentUrl } from "./output-files.ts";

/** The caller that files are stored for, and the address of the API. */
export type PrincipalFiles = {
  ctx: Runtime & {
    principal: Pick<Principal, "type" | "id">;
    tenant: { id: TenantId };
    baseUrl: string;
  };
};

/** Returns the storage of files that a tool makes when its caller runs it alone. They are the caller's. */
export const principalFiles = (deps: CreateFileDeps, { ctx }: PrincipalFiles) => ({
  save: async ({ name, content }: { name: string; content: Uint8Array }): Promise<FlowFile> => {
    const { type, id } = ctx.principal;
    const item = await createFile(deps, {
      tenantId: ctx.tenant.id,
      id: newUuid(ctx),
      name,
      content,
      creator: { type, id },
      retentionDays: storedFileLimits.defaultRetentionDays,
      now: ctx.clock(),
    });
    return toFlowFile(item);
  },
  link: ({ id }: Pick<FlowFile, "id">): string =>
    buildContentUrl({ baseUrl: ctx.baseUrl, tenantId: ctx.tenant.id }, id),
});
