import type { Database } from "../../platform/db/database.ts";
import { type ObjectStore, unpackValue } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import { RevisionContent } from "./content.ts";
import type { Revision } from "./schemas.ts";
import { getRevisionContent } from "./store.ts";
import { toRevision } from "./to-revision.ts";

/** Returns a revision with every secret masked. Throws 404. */
export const getRevision = async (
  deps: { db: Database; objects: ObjectStore },
  { tenantId, agentId, revision }: { tenantId: TenantId; agentId: string; revision: number },
): Promise<Revision> => {
  const item = await getRevisionContent(deps.db, tenantId, agentId, revision);
  if (!item) throw notFound("revision", `${agentId}/${revision}`);
  const content = RevisionContent.parse(await unpackValue(item.content, deps.objects));
  return toRevision({ tenantId, agentId, agentRevision: revision }, content);
};
