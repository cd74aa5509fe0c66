import { findAudience } from "../../notifications/destination/find-audience.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { getDataset } from "../dataset/store.ts";
import type { Driver } from "./driver.ts";
import { type ExperimentItem, ResultItem } from "./items.ts";
import { allResults } from "./result-store.ts";
import type { ExperimentStatus, SummaryRow } from "./schemas.ts";
import { getExperiment, putExperimentEnd } from "./store.ts";
import { summarize } from "./summary/summarize.ts";

/** Summarizes an experiment once all runs have results, and writes its end with its event, once. */
export const finishExperiment = async (driver: Driver, item: ExperimentItem): Promise<void> => {
  const { deps, place, worker } = driver;
  const { db, runtime, send } = deps;
  const { tenantId, experimentId } = place;
  const members = [
    "sk",
    "executionId",
    "status",
    "error",
    "scores",
    "cost",
    "priced",
    "durationMs",
    "cut",
  ];
  const summary = await summarize(item, allResults(db, place, ResultItem, members));
  const { status, error } = await deriveOutcome(driver, item);
  const now = runtime.clock();
  const ended = { ...item, status, error, endedAt: now, modifiedAt: now };
  const events = await buildEndEvents(driver, ended, summary);
  const { endedAt, modifiedAt } = ended;
  const set = { status, error, endedAt, modifiedAt, leaseUntil: now };
  const end = { worker, before: item.status, set, summary, events };
  if ((await putExperimentEnd(db, tenantId, experimentId, end)) === "written") {
    await Promise.all(events.map((event) => enqueueEvent(send, event)));
    return;
  }
  const changed = await getExperiment(db, tenantId, experimentId);
  const wasCancelled = changed?.worker === worker && changed.status !== item.status;
  if (wasCancelled) await finishExperiment(driver, changed);
};

/** Returns how an experiment ended. A dataset that was deleted meanwhile may have had examples that no run had. */
const deriveOutcome = async (
  { deps: { db }, place: { tenantId }, config: { dataset } }: Driver,
  { status, datasetId, drive: { stopping } }: ExperimentItem,
): Promise<{ status: ExperimentStatus; error: string | null }> => {
  if (status === "Cancelled") return { status, error: null };
  if (stopping) return stopping;
  const found = await getDataset(db, tenantId, datasetId);
  if (found?.contentId === dataset.contentId) return { status: "Succeeded", error: null };
  return { status: "Failed", error: "The dataset was deleted." };
};

const type = "experiment.completed";

/** Builds the event of an experiment's end; none without subscribers. */
const buildEndEvents = async (
  { deps: { db }, place: { tenantId } }: Driver,
  item: ExperimentItem,
  summary: readonly SummaryRow[],
): Promise<OrganizationEvent[]> => {
  const audience = await findAudience(db, tenantId, item.endedAt ?? 0);
  if (!audience?.types.has(type)) return [];
  const { id, displayName, datasetId, version, agentId, revisions } = item;
  const { status, error, progress, totalCost, priced } = item;
  return [
    {
      id: `${type}:${id}`,
      type,
      organizationId: audience.organizationId,
      tenantId,
      agentId,
      occurredAt: item.endedAt ?? 0,
      data: {
        ...{ experimentId: id, displayName, datasetId, version, revisions },
        ...{ status, error, progress, totalCost, priced, summary },
      },
    },
  ];
};
