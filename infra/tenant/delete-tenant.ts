import { nameWakeSchedule } from "../../lib/executions/wait/wake-execution.ts";
import { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { transact } from "../../lib/platform/db/transact.ts";
import { ownerKeptMs } from "../../lib/tenancy/tenant/find-owner.ts";
import { organizationTenantKey, tenantAliasKey, tenantKey } from "../../lib/tenancy/tenant/keys.ts";
import { CommandError } from "../shell/command.ts";
import { deleteObjects } from "./bucket-objects.ts";
import { classify, type Item, type Subject } from "./classify.ts";
import { drainTenant, type EndListeners } from "./drain-tenant.ts";
import { findIndexes } from "./find-indexes.ts";
import type { Installation } from "./installation.ts";
import { buildDeletionItem, type Deletion, findDeletion, putDeletion } from "./move-store.ts";
import { listObjectPrefixes } from "./object-families.ts";
import type { Pace } from "./pace.ts";
import { formatCount, type Progress, sum } from "./progress.ts";
import { deleteSchedule } from "./schedules.ts";
import { findTenant, readSubject, type TenantNames } from "./subject.ts";
import { schedulesFamily } from "./table-families.ts";
import { deleteItems, queryItems, scanTable } from "./table-items.ts";
import { deleteIndex } from "./vectors.ts";
import { compareToDeleted, countTenant, type TenantCounts } from "./verify-tenant.ts";

/** Dependencies of a deletion. */
export type DeleteDeps = {
  readonly installation: Installation;
  readonly pace: Pace;
  readonly progress: Progress;
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Removes the listeners of webhooks at their providers. */
  readonly endListeners: EndListeners;
};

export type DeleteInput = {
  /** Id or slug. */
  readonly tenant: string;
  /** Number of parts in which the table is read concurrently. */
  readonly segments: number;
  /** Milliseconds until every function has noticed that the tenant does not exist. */
  readonly waitMs?: number;
};

/** Days for which the record of a deletion is kept, as audit records are. */
const recordDays = 400;
const dayMs = 86_400_000;
/** Attempts until nothing is left, with pauses: the last functions may still write. */
const maxPasses = 10;
const passPauseMs = 30_000;

/**
 * Deletes a tenant with all of its data, and counts what is left. Continues a deletion that was interrupted. First the
 * tenant ceases to exist, then its work ends, then its data is deleted. Throws a CommandError.
 */
export const deleteTenant = async (
  deps: DeleteDeps,
  input: DeleteInput,
): Promise<{ deletion: Deletion; left: TenantCounts }> => {
  const { installation, progress, clock, sleep } = deps;
  const deletion = await openDeletion(deps, input);
  const subject = toSubject(deletion);
  if (deletion.drainedAt === null) {
    await waitForFunctions(deps, deletion, input.waitMs ?? ownerKeptMs);
    await drainTenant(deps, deletion);
    deletion.drainedAt = clock();
    await putDeletion(installation.db, deletion);
  }
  for (let pass = 1; ; pass += 1) {
    await deleteAll(deps, deletion, subject);
    const left = await countLeft(deps, deletion, subject);
    if (compareToDeleted(left).every(({ isRight }) => isRight)) {
      deletion.finishedAt = clock();
      deletion.ttl = Math.ceil((clock() + recordDays * dayMs) / 1_000);
      await putDeletion(installation.db, deletion);
      return { deletion, left };
    }
    if (pass === maxPasses) return { deletion, left };
    progress("something was written meanwhile: deletes again", { isMilestone: true });
    await sleep(passPauseMs);
    deletion.segments = newSegments(deletion.segments.length);
  }
};

/** Returns what identifies the items of a deleted tenant. */
export const toSubject = (deletion: Deletion): Subject => ({
  tenantId: deletion.tenantId,
  slug: deletion.slug,
  organizationId: deletion.organizationId,
  isOnlyTenant: deletion.isOnlyTenant,
  keys: new Set(deletion.keys),
  ownKeys: new Set(deletion.ownKeys),
  foreignKeys: new Set(deletion.foreignKeys),
});

const newSegments = (count: number): Deletion["segments"] =>
  Array.from({ length: count }, () => ({ isDone: false }));

const openDeletion = async (
  deps: DeleteDeps,
  { tenant: idOrSlug, segments }: DeleteInput,
): Promise<Deletion> => {
  const { installation, progress } = deps;
  const tenant = await findTenant(installation, idOrSlug);
  const earlier = await findDeletion(installation.db, idOrSlug);
  if (tenant && earlier && earlier.tenantId !== tenant.id && earlier.finishedAt === null) {
    throw new CommandError(
      `The deletion of an earlier tenant ${idOrSlug} is not finished. Give its id, ${earlier.tenantId}, or that of the present one, ${tenant.id}.`,
    );
  }
  if (tenant) return close(deps, tenant, segments);
  if (!earlier) throw new CommandError(`The tenant ${idOrSlug} does not exist.`);
  if (earlier.finishedAt === null) {
    progress("continues a deletion that was interrupted", { isMilestone: true });
    return earlier;
  }
  progress("the tenant was deleted before: deletes what is left", { isMilestone: true });
  return { ...earlier, segments: newSegments(segments), finishedAt: null };
};

/** Makes a tenant cease to exist, and records its deletion, in one transaction. */
const close = async (
  { installation, clock, progress }: DeleteDeps,
  tenant: TenantNames,
  segments: number,
): Promise<Deletion> => {
  const { id, slug, organizationId } = tenant;
  const subject = await readSubject(installation, tenant);
  const deletion: Deletion = {
    tenantId: id,
    slug,
    organizationId,
    isOnlyTenant: subject.isOnlyTenant,
    keys: [...subject.keys],
    ownKeys: [...subject.ownKeys],
    foreignKeys: [...subject.foreignKeys],
    indexes: await findAllIndexes(installation, id),
    schedules: await findAllSchedules(installation, id),
    closedAt: clock(),
    drainedAt: null,
    segments: newSegments(segments),
    deleted: {},
    finishedAt: null,
  };
  const { written } = await transact(installation.db, [
    { Delete: { Key: tenantKey(id), ConditionExpression: "attribute_exists(pk)" } },
    { Delete: { Key: tenantAliasKey(slug) } },
    { Delete: { Key: organizationTenantKey(organizationId, slug) } },
    { Put: { Item: buildDeletionItem(deletion) } },
  ]);
  if (!written) throw new CommandError("The tenant was changed meanwhile. Run the command again.");
  progress(`the tenant ${slug} (${id}) does not exist any more`, { isMilestone: true });
  return deletion;
};

const findAllIndexes = async (installation: Installation, tenantId: string): Promise<string[]> => {
  const found = new Set<string>();
  const subject = { ...unknownOwner, tenantId };
  const add = (item: Item): void => {
    const classified = classify(item, subject);
    if (classified) for (const index of findIndexes(tenantId, classified, item)) found.add(index);
  };
  const partition = `TENANT#${tenantId}`;
  const indexIds = new Set<string>();
  for (const list of [`${partition}#ASSETS`, `${partition}#ASSETS#DELETED`]) {
    for await (const item of queryItems(installation, list, "")) {
      add(item);
      if (item.indexId?.S) indexIds.add(item.indexId.S);
    }
  }
  for (const indexId of indexIds) {
    for await (const item of queryItems(installation, `${partition}#INDEX#${indexId}`, "DOC#")) {
      add(item);
    }
  }
  return [...found];
};

const unknownOwner = {
  slug: undefined,
  organizationId: undefined,
  isOnlyTenant: false,
  keys: new Set<string>(),
  ownKeys: new Set<string>(),
  foreignKeys: new Set<string>(),
};

const findAllSchedules = async (
  installation: Installation,
  tenantId: string,
): Promise<string[]> => {
  const names: string[] = [];
  for await (const item of queryItems(installation, `TENANT#${tenantId}`, "SCHEDULES#")) {
    names.push(...readScheduleNames(item));
  }
  return names;
};

const readScheduleNames = ({ names }: Item): string[] =>
  (names?.L ?? []).flatMap(({ S }) => S ?? []);

/** Returns the name of the schedule that an item of a wait may have. */
const readWakeSchedule = ({ pk, sk, until }: Item): string[] => {
  const [, tenantId, of, waitingId = ""] = (pk?.S ?? "").split("#");
  const [kind, ...path] = (sk?.S ?? "").split("#");
  if (of !== "EXEC" || kind !== "WAIT") return [];
  return [
    nameWakeSchedule({
      tenantId: TenantId.parse(tenantId),
      waitingId,
      path: path.join("#"),
      at: Number(until?.N),
    }),
  ];
};

/** Waits until the functions have forgotten the tenant, and refuse its requests. */
const waitForFunctions = async (
  { progress, clock, sleep }: DeleteDeps,
  { closedAt }: Deletion,
  waitMs: number,
): Promise<void> => {
  const rest = closedAt + waitMs - clock();
  if (rest <= 0) return;
  progress(`waits ${Math.ceil(rest / 1_000)} s until every function has noticed`, {
    isMilestone: true,
  });
  await sleep(rest);
};

const deleteAll = async (deps: DeleteDeps, deletion: Deletion, subject: Subject): Promise<void> => {
  const { installation, progress } = deps;
  for (const name of deletion.schedules) await deleteSchedule(installation, name);
  await Promise.all(
    deletion.segments.map((_, segment) => deleteSegment(deps, deletion, subject, segment)),
  );
  progress(`items: ${formatCount(sum(deletion.deleted))} deleted`, { isMilestone: true });
  let objects = 0;
  for (const prefix of listObjectPrefixes(deletion.tenantId)) {
    objects += await deleteObjects(installation, prefix);
    progress(`objects: ${formatCount(objects)} deleted`);
  }
  progress(`objects: ${formatCount(objects)} deleted`, { isMilestone: true });
  for (const index of deletion.indexes) await deleteIndex(installation, index);
  progress(`indexes of vectors: ${deletion.indexes.length} deleted`, { isMilestone: true });
};

/** Pages of the table after which the position is saved. */
const pagesPerSave = 20;

const deleteSegment = async (
  { installation, pace, progress }: DeleteDeps,
  deletion: Deletion,
  subject: Subject,
  segment: number,
): Promise<void> => {
  const state = deletion.segments[segment];
  if (!state || state.isDone) return;
  const scan = { segment, segments: deletion.segments.length, isConsistent: true };
  let pages = 0;
  let read = 0;
  const pageList = scanTable(installation, { ...scan, after: state.after }, pace);
  for await (const { items, next } of pageList) {
    const found = items.filter((item) => isToDelete(item, subject));
    for (const item of found) note(deletion, subject, item);
    for (const name of found.flatMap(readWakeSchedule)) await deleteSchedule(installation, name);
    await deleteItems(installation, found, pace);
    pages += 1;
    read += items.length;
    progress(`items: ${formatCount(read)} read in segment ${segment + 1} of ${scan.segments}`);
    state.after = next;
    state.isDone = next === undefined;
    if (state.isDone || pages % pagesPerSave === 0) await putDeletion(installation.db, deletion);
  }
};

const isToDelete = (item: Item, subject: Subject): boolean => {
  const owner = classify(item, subject)?.owner;
  return owner === "tenant" || (owner === "organization" && subject.isOnlyTenant);
};

/** Counts an item that is deleted, and keeps what it names. */
const note = (deletion: Deletion, subject: Subject, item: Item): void => {
  const classified = classify(item, subject);
  if (!classified) return;
  const { name } = classified.family;
  deletion.deleted[name] = (deletion.deleted[name] ?? 0) + 1;
  const indexes = findIndexes(subject.tenantId, classified, item);
  deletion.indexes = [...new Set([...deletion.indexes, ...indexes])];
  if (name !== schedulesFamily) return;
  deletion.schedules = [...new Set([...deletion.schedules, ...readScheduleNames(item)])];
};

const countLeft = (
  { installation, pace, progress, clock }: DeleteDeps,
  deletion: Deletion,
  subject: Subject,
): Promise<TenantCounts> =>
  countTenant(
    { installation, pace, progress, clock },
    { subject, known: deletion, withOrganization: deletion.isOnlyTenant },
  );
