import { createFile } from "../../lib/files/create-file.ts";
import { toStoredFile } from "../../lib/files/file-item.ts";
import { findFile } from "../../lib/files/store.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { fileObjects } from "../../lib/platform/db/file-objects.ts";
import { newUuid } from "../../lib/platform/runtime/runtime.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, files: fileObjects() });

export const handler = endpoint(rows.createFile, async ({ db, ctx, query, body }) => {
  const { type, id } = ctx.principal;
  const { earlier = [] } = ctx.once ?? {};
  const stored = await findFile(db, { tenantId: ctx.tenant.id, ids: earlier, now: ctx.clock() });
  if (stored) return toStoredFile(stored);
  const file = await createFile(deps(db), {
    tenantId: ctx.tenant.id,
    id: ctx.once?.token ?? newUuid(ctx),
    name: query.name,
    content: body,
    creator: { type, id },
    retentionDays: query.retentionDays,
    now: ctx.clock(),
  });
  return toStoredFile(file);
});
