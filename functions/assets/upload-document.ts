import { toDocument } from "../../lib/knowledge/document/schemas.ts";
import { uploadDocument } from "../../lib/knowledge/document/upload-document.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore(), send });

export const handler = endpoint(
  rows.uploadDocument,
  async ({ db, ctx, params, query, body, headers }) => {
    const contentType = headers.get("content-type")?.[0] ?? "";
    const input = { assetId: params.asset, name: query.name, contentType, bytes: body };
    return toDocument(await uploadDocument(deps(db), { ctx, ...input }));
  },
);
