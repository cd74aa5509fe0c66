import type { PackedValue } from "../../platform/db/large-value.ts";

/** A packed value as JSON can hold it. */
export type QueuedValue = { json: string } | { base64: string } | { object: string };

/** A packed value for a message. */
export const toQueued = (packed: PackedValue): QueuedValue =>
  "gzip" in packed ? { base64: Buffer.from(packed.gzip).toString("base64") } : packed;

/** The packed value of a message. */
export const fromQueued = (queued: QueuedValue): PackedValue =>
  "base64" in queued ? { gzip: Buffer.from(queued.base64, "base64") } : queued;
