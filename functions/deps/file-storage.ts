import type { FileStorage } from "../../lib/files/file-storage.ts";
import { fileObjects } from "../../lib/platform/db/file-objects.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";

/** Creates the storage of files in a function. */
export const fileStorage = (): FileStorage => ({
  objects: fileObjects(),
  outgoing: outgoingSettings(),
});
