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
import { retainedPrefix, retentionClasses } from "../../platform/db/retained-prefix.ts";
import type { SealedValue, Sealer } from "../../platform/db/seal.ts";
import { executionsPrefix } from "../../platform/db/table.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { mask } from "../../platform/http/mask.ts";
import { parseUuidTime } from "../../platform/runtime/runtime.ts";
import { computeTtl, type Retention } from "../../tenancy/tenant/retention.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import {
  ExecutionInput,
  type StoredExecution,
  StoredOutcome,
  type StoredValue,
} from "./execution-record.ts";
import { type ExecutionKey, executionPartKey, toExecutionKey } from "./keys.ts";

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
export type StoredPart = { name: string; item: Key & { value: PackedValue; ttl: number } };

/** Returns the prefixes of the objects of an agent's executions. */
export const executionObjects = (tenantId: TenantId, agentId: string): string[] =>
  retentionClasses.map((days) => executionFolder(tenantId, agentId, days));

const executionFolder = (tenantId: TenantId, agentId: string, days: number): string =>
  `${retainedPrefix(executionsPrefix, days)}/${tenantId}/${agentId}/`;

/** A value to place. `keptDays` is called only for a value that the record has no room for. */
type Placing = {
  kind: "INPUT" | "DRAFT" | "END" | "TRACE";
  value: unknown;
  keptDays: () => number | Promise<number>;
};

/**
 * Compresses a value and decides where it is stored; writes it to the bucket if that is the place. Names of
 * items and objects contain a hash of the value, so that no run overwrites what another one stored.
 * @param maxInline compressed bytes that may be in the record
 */
export const placeValue = async (
  objects: ObjectStore,
  { tenantId, agentId, executionId }: ExecutionKey,
  { kind, value, keptDays }: Placing,
  maxInline: number,
): Promise<PlacedValue> => {
  const buildPartName = (bytes: Uint8Array) =>
    `${kind}#${createHash("sha256").update(bytes).digest("base64url").slice(0, 16)}`;
  const buildObjectKey = async (bytes: Uint8Array) =>
    `${executionFolder(tenantId, agentId, await keptDays())}${executionId}/${buildPartName(bytes)}`;
  const packed = await packValue(value, buildObjectKey, objects, maxPartBytes);
  const bytes = getInlineBytes(packed);
  if (bytes.byteLength <= maxInline) return { stored: packed, part: undefined };
  const name = buildPartName(bytes);
  const key = executionPartKey(tenantId, agentId, executionId, name);
  // A day longer than its record, so that no record that is shown has lost its values.
  const ttl = computeTtl(parseUuidTime(executionId), (await keptDays()) + 1);
  return { stored: { part: name }, part: { name, item: { ...key, value: packed, ttl } } };
};

/** Days for which a tenant keeps executions and their traces. */
export type ExecutionRetention = Pick<Retention, "executionDays" | "traceDays">;

/** Length of JSON beyond which a trace is not stored in the record, whatever its compressed length. */
const longOutcome = 16_000;

/** Output, error and trace to store; `trace` and `traceTtl` where the trace expires apart from the record. */
export type PlacedOutcome = {
  members: { result: StoredValue; trace?: StoredValue; ttl: number; traceTtl?: number };
  parts: readonly StoredPart[];
};

/**
 * Places output, error and trace of an execution: together in the record if it has room for them, otherwise the trace
 * apart, which expires earlier.
 */
export const placeOutcome = async (
  objects: ObjectStore,
  key: ExecutionKey,
  { outcome, retention }: { outcome: StoredOutcome; retention: ExecutionRetention },
  maxInline: number,
): Promise<PlacedOutcome> => {
  const { executionDays } = retention;
  const traceDays = Math.min(retention.traceDays, executionDays);
  const startTime = parseUuidTime(key.executionId);
  const ttls = {
    ttl: computeTtl(startTime, executionDays),
    ...(traceDays < executionDays && { traceTtl: computeTtl(startTime, traceDays) }),
  };
  const end = { kind: "END" as const, keptDays: () => executionDays };
  const isTogether = traceDays === executionDays || outcome.trace.length === 0;
  const whole =
    !isTogether && JSON.stringify(outcome).length <= longOutcome
      ? await packValue(outcome, "", objects, Number.POSITIVE_INFINITY)
      : undefined;
  if (whole && getInlineBytes(whole).byteLength <= maxInline) {
    return { members: { result: whole, ...ttls }, parts: [] };
  }
  if (isTogether) {
    const { stored, part } = await placeValue(objects, key, { ...end, value: outcome }, maxInline);
    return { members: { result: stored, ...ttls }, parts: part ? [part] : [] };
  }
  const { trace, ...rest } = outcome;
  const [result, apart] = await Promise.all([
    placeValue(objects, key, { ...end, value: { ...rest, trace: [] } }, maxInline),
    placeValue(objects, key, { kind: "TRACE", value: trace, keptDays: () => traceDays }, 0),
  ]);
  return {
    members: { result: result.stored, trace: apart.stored, ...ttls },
    parts: [result, apart].flatMap(({ part }) => part ?? []),
  };
};

/** The item of a value that is not in its record. */
export const PartItem = z.object({ value: PackedValue });

/** Reads a stored value. */
export const readStoredValue = async (
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

const Sealed = z.record(z.string(), z.unknown());

/**
 * Reads the input of an execution with masked secrets. While services have not checked it, it has only the parameters that its
 * response repeats.
 */
export const readInput = async (
  storage: Storage,
  execution: StoredExecution,
): Promise<ExecutionInput> => {
  const { repeated, ...checked } = await readStoredInput(storage, execution);
  return { ...(execution.isUnchecked ? { input: {} } : checked), ...(repeated && { repeated }) };
};

const readStoredInput = async (
  storage: Storage,
  { item, input }: StoredExecution,
): Promise<ExecutionInput> =>
  ExecutionInput.parse(await readStoredValue(storage, toExecutionKey(item), input));

/** Reads the input of an execution as it was sent. */
export const readSentInput = async (
  { sealer, ...storage }: Storage & { sealer: Sealer },
  execution: StoredExecution,
): Promise<ExecutionInput> => {
  const shown = await readStoredInput(storage, execution);
  const { secrets } = execution;
  if (!secrets) return shown;
  const { tenantId, executionId } = toExecutionKey(execution.item);
  const sealed = Sealed.parse(await sealer.open(secrets, { tenantId, executionId }));
  return { ...shown, input: { ...shown.input, ...sealed } };
};

/**
 * Reads output, error and trace of an execution; undefined before its end is recorded. An expired trace is empty.
 * @param options `needsTrace`: false for callers to whom the output is enough; a trace that is stored apart is empty then
 */
export const readEnd = async (
  storage: Storage,
  { item, result, trace, isTraceExpired }: StoredExecution,
  { needsTrace = true }: { needsTrace?: boolean } = {},
): Promise<StoredOutcome | undefined> => {
  if (!result) return undefined;
  const key = toExecutionKey(item);
  const [end, apart] = await Promise.all([
    readStoredValue(storage, key, result),
    trace && needsTrace && !isTraceExpired ? readStoredValue(storage, key, trace) : [],
  ]);
  const outcome = StoredOutcome.parse(end);
  if (isTraceExpired) return { ...outcome, trace: [] };
  return trace ? { ...outcome, trace: z.array(z.unknown()).parse(apart) } : outcome;
};

type Input = Readonly<Record<string, unknown>>;

/**
 * Masks the secrets of an input and seals them for later runs.
 * @param masked inputs that contain a secret of their sender, as they are shown
 */
export const hideSecrets = async (
  sealer: Sealer,
  { tenantId, executionId }: ExecutionKey,
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
