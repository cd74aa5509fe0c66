import * as z from "zod";
import { dollars } from "../../engine/models/sums.ts";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems, getNamedItems } from "../../platform/db/get-items.ts";
import { listed } from "../../platform/db/keys.ts";
import {
  type ObjectStore,
  PackedValue,
  packValue,
  unpackValue,
} from "../../platform/db/large-value.ts";
import {
  type Lease,
  type LeaseMembers,
  releaseLease,
  renewLease,
  takeOverLease,
} from "../../platform/db/lease.ts";
import { listPage } from "../../platform/db/list-page.ts";
import { patchItem } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { ExperimentConfig, ExperimentItem, SummaryItem } from "./items.ts";
import {
  configKey,
  type ExperimentKey,
  experimentKey,
  experimentsList,
  inOpenExperiments,
  openExperimentKey,
  type RunKey,
  resultKey,
  summaryKey,
} from "./keys.ts";
import { addOpen, dropOpen, isFull } from "./open-store.ts";
import type { SummaryRow } from "./schemas.ts";

type Storage = { db: Database; objects: ObjectStore };

/** Writes a new experiment with what it runs, in one transaction; "full" when the tenant has as many open as it may. */
export const putNewExperiment = async (
  { db, objects }: Storage,
  tenantId: TenantId,
  item: ExperimentItem,
  config: ExperimentConfig,
): Promise<"written" | "full"> => {
  const { id } = item;
  // Before anything is stored; the transaction counts requests at the same time.
  if (await isFull(db, tenantId)) return "full";
  const packed = await packValue(config, `experiments/${tenantId}/${id}/config`, objects);
  const outcome = await transact(db, [
    { Put: { Item: { ...listed(experimentKey(tenantId, id)), ...item }, ...ifNew } },
    { Put: { Item: { ...configKey(tenantId, id), config: packed } } },
    { Put: { Item: inOpenExperiments(tenantId, id) } },
    addOpen(tenantId, id),
  ]);
  if (outcome.written) return "written";
  if (outcome.failed[0]) throw new Error(`the experiment ${id} was created before`);
  return "full";
};

/** TENANT#t#EXPERIMENTS / id: reads an experiment. */
export const getExperiment = (
  db: Database,
  tenantId: TenantId,
  experimentId: string,
): Promise<ExperimentItem | undefined> =>
  getItem(db, experimentKey(tenantId, experimentId), ExperimentItem);

const ConfigItem = z.object({ config: PackedValue });

/** TENANT#t#EXPERIMENT#x / CONFIG: reads what an experiment runs and scores with. */
export const getExperimentConfig = async (
  { db, objects }: Storage,
  tenantId: TenantId,
  experimentId: string,
): Promise<ExperimentConfig | undefined> => {
  const item = await getItem(db, configKey(tenantId, experimentId), ConfigItem);
  return item && ExperimentConfig.parse(await unpackValue(item.config, objects));
};

/** Reads an experiment with its config and, if it has ended, its summary, in one round trip. */
export const getWholeExperiment = async (
  { db, objects }: Storage,
  tenantId: TenantId,
  experimentId: string,
): Promise<
  { item: ExperimentItem; config: ExperimentConfig; summary: SummaryRow[] } | undefined
> => {
  const found = await getNamedItems(db, {
    item: experimentKey(tenantId, experimentId),
    config: configKey(tenantId, experimentId),
    summary: summaryKey(tenantId, experimentId),
  });
  if (!found.item) return undefined;
  const { config } = ConfigItem.parse(found.config);
  return {
    item: ExperimentItem.parse(found.item),
    config: ExperimentConfig.parse(await unpackValue(config, objects)),
    summary: found.summary ? SummaryItem.parse(found.summary).summary : [],
  };
};

/** TENANT#t#EXPERIMENTS / …: lists the tenant's experiments, newest first. */
export const listExperiments = (
  db: Database,
  tenantId: TenantId,
  page: PageRequest,
): Promise<Page<ExperimentItem>> =>
  listPage(db, ExperimentItem, { list: experimentsList(tenantId), newestFirst: true }, page);

/** Cancels an experiment; undefined when its status is not as it was read. */
export const putCancelled = (
  db: Database,
  { tenantId, experimentId }: ExperimentKey,
  { status }: Pick<ExperimentItem, "status">,
  now: number,
): Promise<ExperimentItem | undefined> =>
  patchItem(db, experimentKey(tenantId, experimentId), ExperimentItem, {
    set: { status: "Cancelled", modifiedAt: now },
    expect: { status },
  });

/** The lease of an experiment's driver. */
const leaseMembers = ({ tenantId, experimentId }: ExperimentKey): LeaseMembers => ({
  key: experimentKey(tenantId, experimentId),
  holder: "worker",
  until: "leaseUntil",
});

/** Writes an update of a lease, and returns the experiment; undefined when its condition fails. */
const writeLease = async (
  db: Database,
  update: ReturnType<typeof renewLease>,
): Promise<ExperimentItem | undefined> => {
  const { written, item } = await updateItem(db, { ...update, ReturnValues: "ALL_NEW" });
  return written ? ExperimentItem.parse(item) : undefined;
};

type ReadLease = Pick<ExperimentItem, "worker" | "leaseUntil">;
const toLease = ({ worker, leaseUntil }: ReadLease): Lease => ({
  holder: worker,
  until: leaseUntil,
});

/** Gives an experiment to a driver, and sets a queued one to Running; undefined when it is not as it was read. */
export const leaseExperiment = (
  db: Database,
  place: ExperimentKey,
  { status, ...seen }: ReadLease & Pick<ExperimentItem, "status">,
  { modifiedAt, ...next }: ReadLease & Pick<ExperimentItem, "modifiedAt">,
): Promise<ExperimentItem | undefined> =>
  writeLease(
    db,
    takeOverLease(leaseMembers(place), toLease(seen), toLease(next), {
      set: { modifiedAt, ...(status === "Queued" && { status: "Running" }) },
      expect: { status },
    }),
  );

/** Returns an experiment from its driver to the queue; undefined when another driver has it. */
export const releaseExperiment = (
  db: Database,
  place: ExperimentKey,
  worker: string,
  { leaseUntil, modifiedAt }: Pick<ExperimentItem, "leaseUntil" | "modifiedAt">,
): Promise<ExperimentItem | undefined> => {
  const lease = { holder: worker, until: leaseUntil };
  return writeLease(db, releaseLease(leaseMembers(place), lease, { set: { modifiedAt } }));
};

/** Takes an experiment from a dead driver; undefined when its lease is not as it was read. */
export const freeExperiment = (
  db: Database,
  place: ExperimentKey,
  seen: ReadLease,
  leaseUntil: number,
): Promise<ExperimentItem | undefined> =>
  writeLease(
    db,
    takeOverLease(leaseMembers(place), toLease(seen), { holder: null, until: leaseUntil }),
  );

/** Members that a driver writes while it runs an experiment. */
export type DrivenMembers = Partial<
  Pick<ExperimentItem, "drive" | "progress" | "totalCost" | "priced" | "reserved" | "free">
>;

/**
 * Writes members of an experiment and renews the lease of its driver; undefined when another driver has it, or runs have
 * raised their reservations.
 */
export const saveExperiment = (
  db: Database,
  place: ExperimentKey,
  { worker, leaseUntil }: { worker: string; leaseUntil: number },
  change: {
    set: DrivenMembers & Pick<ExperimentItem, "modifiedAt">;
    expect?: Pick<ExperimentItem, "reservations">;
  },
): Promise<ExperimentItem | undefined> =>
  writeLease(db, renewLease(leaseMembers(place), { holder: worker, until: leaseUntil }, change));

/** A change of a run's reservation of `maxCost`, US dollars. */
export type Raise = { executionId: string; before: number; after: number };

/** "differs": the run reserved another amount than `before`; "ended": it has no reservation. */
export type RaiseOutcome =
  | { type: "raised" | "differs"; reserved: number }
  | { type: "spent"; maxCost: number | null }
  | { type: "ended" };

const Reserved = ExperimentItem.pick({ maxCost: true, reserved: true });

/** Raises a run's reservation of `maxCost`, if the rest covers it. */
export const raiseReservation = async (
  db: Database,
  { tenantId, experimentId }: ExperimentKey,
  { executionId, before, after }: Raise,
): Promise<RaiseOutcome> => {
  const { written, item } = await updateItem(db, {
    Key: experimentKey(tenantId, experimentId),
    UpdateExpression: "SET #reserved.#run = :after, #free = #free - :more ADD #reservations :one",
    ConditionExpression: "#reserved.#run = :before AND #free >= :more",
    ExpressionAttributeNames: {
      "#reserved": "reserved",
      "#run": executionId,
      "#free": "free",
      "#reservations": "reservations",
    },
    ExpressionAttributeValues: {
      ":before": before,
      ":after": after,
      ":more": dollars(after - before),
      ":one": 1,
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  if (written) return { type: "raised", reserved: after };
  const { data } = Reserved.safeParse(item);
  const reserved = data?.reserved[executionId];
  if (reserved === undefined) return { type: "ended" };
  if (reserved !== before) return { type: "differs", reserved };
  return { type: "spent", maxCost: data?.maxCost ?? null };
};

const Item = z.record(z.string(), z.unknown());

/** Reads an experiment and the results of runs, in one round trip; results in the order of the runs. */
export const getExperimentAndResults = async <Result extends z.ZodType>(
  db: Database,
  { tenantId, experimentId }: ExperimentKey,
  runs: readonly RunKey[],
  Result: Result,
): Promise<{
  item: ExperimentItem | undefined;
  results: (z.output<Result> | undefined)[];
}> => {
  const keys = runs.map((run) => resultKey(tenantId, experimentId, run));
  const [item, ...results] = await getItems(
    db,
    [experimentKey(tenantId, experimentId), ...keys],
    Item,
  );
  return {
    item: item && ExperimentItem.parse(item),
    results: results.map((result) => result && Result.parse(result)),
  };
};

/** The end of an experiment. */
export type ExperimentEnd = {
  worker: string;
  /** The status that it must have. */
  before: ExperimentItem["status"];
  set: Pick<ExperimentItem, "status" | "error" | "endedAt" | "modifiedAt" | "leaseUntil">;
  summary: readonly SummaryRow[];
  events: readonly OrganizationEvent[];
};

/**
 * Writes the end of an experiment with its summary and events, once; "changed" when it has another status or driver by
 * now.
 */
export const putExperimentEnd = async (
  db: Database,
  tenantId: TenantId,
  experimentId: string,
  { worker, before, set: { leaseUntil, ...set }, summary, events }: ExperimentEnd,
): Promise<"written" | "changed"> => {
  const outcome = await transact(db, [
    {
      Update: releaseLease(
        leaseMembers({ tenantId, experimentId }),
        { holder: worker, until: leaseUntil },
        { set, expect: { status: before } },
      ),
    },
    { Put: { Item: { ...summaryKey(tenantId, experimentId), summary } } },
    { Delete: { Key: openExperimentKey(tenantId, experimentId) } },
    dropOpen(tenantId, experimentId),
    ...events.map(putInOutbox),
  ]);
  return outcome.written ? "written" : "changed";
};

/** TENANT#t#EXPERIMENTS / id: reads experiments of any tenants, at most 100; those that exist. */
export const getExperiments = async (
  db: Database,
  places: readonly ExperimentKey[],
): Promise<{ place: ExperimentKey; experiment: ExperimentItem }[]> => {
  const keys = places.map(({ tenantId, experimentId }) => experimentKey(tenantId, experimentId));
  const items = await getItems(db, keys, ExperimentItem);
  return places.flatMap((place, at) => {
    const experiment = items[at];
    return experiment ? [{ place, experiment }] : [];
  });
};
