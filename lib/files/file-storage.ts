import type { FileObjects } from "../platform/db/file-objects.ts";
import type { OutgoingOptions } from "../platform/outgoing/resolve-host.ts";

/** Where files of executions are stored, and the addresses from which they may be fetched. */
export type FileStorage = { readonly objects: FileObjects; readonly outgoing: OutgoingOptions };
