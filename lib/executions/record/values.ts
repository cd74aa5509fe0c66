import { createHash } from "node:crypto";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import type { Key } from "../../platform/db/keys.ts";
import {
  getInlineBytes,
  type ObjectStore,
  PackedValue,
  packValue,
  unpackValue,
} from "../../platform/db/large-value.ts";
import type { SealedValue, Sealer } from "../../platform/db/seal.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { mask } from "../../platform/http/mask.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import { ExecutionInput, type StoredExecution, StoredOutcome, type StoredValue } from "./items.ts";
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

/** Returns the key of an execution. */
export const toExecutionKey = ({
  tenantId,
  agentId,
  id,
}: {
  tenantId: string;
  agentId: string;
  id: string;
}): ExecutionKey => ({ tenantId: TenantId.parse(tenantId), agentId, executionId: id });

/** Reads the input of an execution with masked secrets, the sealed secrets, and the metadata. */
export const readInput = async (storage: Storage, { item, input, secrets }: StoredExecution) => ({
  input: ExecutionInput.parse(await readValue(storage, toExecutionKey(item), input)),
  secrets: secrets ?? null,
  metadata: item.metadata ?? {},
});

/** Reads output, error and trace of an execution; undefined before its end is recorded. */
export const readEnd = async (
  storage: Storage,
  { item, result }: StoredExecution,
): Promise<StoredOutcome | undefined> =>
  result && StoredOutcome.parse(await readValue(storage, toExecutionKey(item), result));

type Input = Readonly<Record<string, unknown>>;

const Sealed = z.record(z.string(), z.unknown());

/** The execution that secrets are sealed for. */
type Place = Pick<ExecutionKey, "tenantId" | "executionId">;

/**
 * Masks the secrets of an input and seals them for later runs.
 * @param masked inputs that contain a secret of their sender, as they are shown
 */
export const hideSecrets = async (
  sealer: Sealer,
  { tenantId, executionId }: Place,
  input: Input,
  { parameters, masked = {} }: { parameters: readonly ParameterDescriptor[]; masked?: Input },
): Promise<{ shown: Input; secrets: SealedValue | null }> => {
  const names = parameters.filter(({ secret }) => secret).map(({ name }) => name);
  const secrets = names.filter((name) => Object.hasOwn(input, name));
  const replaced = { ...masked, ...Object.fromEntries(secrets.map((name) => [name, mask])) };
  if (Object.keys(replaced).length === 0) return { shown: input, secrets: null };
  const hidden = Object.fromEntries(Object.keys(replaced).map((name) => [name, input[name]]));
  return {
    shown: { ...input, ...replaced },
    secrets: await sealer.seal(hidden, { tenantId, executionId }),
  };
};

/** Restores the input as it was sent. */
export const revealSecrets = async (
  sealer: Sealer,
  { tenantId, executionId }: Place,
  { shown, secrets }: { shown: Input; secrets: SealedValue | null },
): Promise<Input> =>
  secrets === null
    ? shown
    : {
        ...shown,
        ...Sealed.parse(await sealer.open(secrets, { tenantId, executionId })),
      };
