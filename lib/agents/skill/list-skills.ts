import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import type { Skill } from "./schemas.ts";
import { listSkillsAfter, listSkillItems as readPage } from "./store.ts";

const firstRead = 10;

/**
 * Lists a tenant's skills by id. Ends a page early when the response would be too large for a function;
 * `nextPageToken` continues it.
 */
export const listSkills = async (
  db: Database,
  tenantId: TenantId,
  { size, skip }: PageRequest,
): Promise<Page<Skill>> => {
  const items: Skill[] = [];
  let bytes = 0;
  let page = await readPage(db, tenantId, { size: Math.min(size, firstRead), skip });
  for (;;) {
    for (const skill of page.items) {
      bytes += responseBytes(skill);
      if (bytes > maxResponseBytes && items.length > 0) return until(items, skip);
      items.push(skill);
    }
    const last = items.at(-1);
    if (page.nextPageToken === null || !last) return { items, nextPageToken: null };
    if (items.length >= size) return until(items, skip);
    const room = Math.ceil((maxResponseBytes - bytes) / (bytes / items.length));
    const next = Math.min(size - items.length, Math.max(room, 1));
    page = await listSkillsAfter(db, tenantId, last.id, next);
  }
};

const until = (items: Skill[], skip: number): Page<Skill> => ({
  items,
  nextPageToken: String(skip + items.length),
});
