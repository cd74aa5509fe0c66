import * as z from "zod";
import { deleteTogether } from "../platform/db/delete-together.ts";
import { getItems } from "../platform/db/get-items.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import type { PurgeStep } from "../platform/deletion/purge.ts";
import { purgeList } from "../platform/deletion/purge-list.ts";
import { fileKey } from "./keys.ts";
import { listPersonFiles } from "./store.ts";

/** Returns the step that deletes the files that a deleted person sent until `at`, Unix milliseconds, with their content. */
export const purgePersonFiles =
  ({ tenantId, person, at }: { tenantId: TenantId; person: string; at: number }): PurgeStep =>
  ({ db, objects, isTimeOver }) => {
    const listSent = async function* () {
      for await (const sent of listPersonFiles(db, tenantId, person)) {
        if (sent.sentAt <= at) yield sent;
      }
    };
    return purgeList(
      listSent(),
      async (sent) => {
        const keys = sent.map(({ id }) => fileKey(tenantId, id));
        // A repeated attempt may have fetched another content than the one that is stored.
        const stored = await getItems(db, keys, StoredContent);
        const names = [...sent, ...stored].flatMap((file) => file?.object ?? []);
        await objects.remove([...new Set(names)]);
        await deleteTogether(db, keys);
        // Without them, the next run would not find the files.
        await deleteTogether(db, sent);
      },
      { isTimeOver },
    );
  };

const StoredContent = z.object({ object: z.string() });
