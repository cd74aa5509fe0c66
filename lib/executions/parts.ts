import { createHash } from "node:crypto";
import * as z from "zod";
import type { Database } from "../platform/db/database.ts";
import { getItem } from "../platform/db/get-item.ts";
import type { Key } from "../platform/db/keys.ts";
import {
  getInlineBytes,
  type ObjectStore,
  PackedValue,
  packValue,
  unpackValue,
} from "../platform/db/large-value.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import type { StoredValue } from "./items.ts";
import { type ExecutionKey, executionPartKey } from "./keys.ts";

/** Storage of values. */
export type Storage = { db: Database; objects: ObjectStore };

/**
 * Compressed bytes of a value in an item of its own, which costs one write unit per KB, and its storage. An
 * object in the bucket costs as much as eight units, and next to nothing to store.
 */
const maxPartBytes = 4_096;

/** A value to store: in the record, with an item that must be written before it, or in the bucket already. */
export type PlacedValue = { stored: StoredValue; part: StoredPart | undefined };

/** The item of a value that is not in its record, and the name of the value. */
export type StoredPart = { name: string; item: Key & { value: PackedValue } };

/** Returns the prefix of the objects of an agent's executions. */
export const executionObjects = (tenantId: TenantId, agentId: string): string =>
  `${tenantId}/${agentId}/executions/`;

/**
 * Compresses a value and decides where it is stored; writes it to the bucket if that is the place. Names of
 * items and objects contain a hash of the value, so that no run overwrites what another one stored.
 * @param maxInline compressed bytes that may be in the record
 */
export const placeValue = async (
  objects: ObjectStore,
  { tenantId, agentId, executionId }: ExecutionKey,
  { kind, value }: { kind: "INPUT" | "END"; value: unknown },
  maxInline: number,
): Promise<PlacedValue> => {
  const folder = executionObjects(tenantId, agentId) + executionId;
  const buildPartName = (bytes: Uint8Array) =>
    `${kind}#${createHash("sha256").update(bytes).digest("base64url").slice(0, 16)}`;
  const buildObjectKey = (bytes: Uint8Array) => `${folder}/${buildPartName(bytes)}`;
  const packed = await packValue(value, buildObjectKey, objects, maxPartBytes);
  const bytes = getInlineBytes(packed);
  if (bytes.byteLength <= maxInline) return { stored: packed, part: undefined };
  const name = buildPartName(bytes);
  const key = executionPartKey(tenantId, agentId, executionId, name);
  return { stored: { part: name }, part: { name, item: { ...key, value: packed } } };
};

/** The item of a value that is not in its record. */
export const PartItem = z.object({ value: PackedValue });

/** Reads a stored value. */
export const readValue = async (
  { db, objects }: Storage,
  { tenantId, agentId, executionId }: ExecutionKey,
  stored: StoredValue,
): Promise<unknown> => {
  if (!("part" in stored)) return unpackValue(stored, objects);
  const key = executionPartKey(tenantId, agentId, executionId, stored.part);
  const item = await getItem(db, key, PartItem);
  if (!item) throw new Error(`the value ${key.sk} is missing`);
  return unpackValue(item.value, objects);
};
