import * as z from "zod";
import type { TombstoneKind } from "../platform/deletion/tombstone.ts";
import { deletedNamespaceKey } from "./keys.ts";
import type { PurgeMemoriesMessage } from "./messages.ts";

const NamespaceTombstone = z.object({ generation: z.string() });
export type NamespaceTombstone = z.output<typeof NamespaceTombstone>;

/** TENANT#t / DELETED#MEMORIES#agent#digest#generation: a deleted namespace until its facts are purged. */
export const namespaceTombstones: TombstoneKind<PurgeMemoriesMessage, NamespaceTombstone> = {
  type: "purge-memories",
  key: ({ generation, ...place }) => deletedNamespaceKey(place, generation),
  schema: NamespaceTombstone,
};
