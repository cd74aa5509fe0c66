import type { PackedValue } from "../../platform/db/large-value.ts";

/** A packed value in JSON. */
export type QueuedValue = { json: string } | { base64: string } | { object: string };

/** Converts a packed value for a queue message. */
export const toQueued = (packed: PackedValue): QueuedValue =>
  "gzip" in packed ? { base64: Buffer.from(packed.gzip).toString("base64") } : packed;

/** Converts the packed value of a queue message. */
export const fromQueued = (queued: QueuedValue): PackedValue =>
  "base64" in queued ? { gzip: Buffer.from(queued.base64, "base64") } : queued;
