import { loadDeployed } from "../../agents/revision/load-deployed.ts";
import type { LoadedRevision, revisionLoader } from "../../agents/revision/load-revision.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { conflict, type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { authorizeEffect } from "../../tenancy/collaborator/authorize.ts";
import { effects, hasScope } from "../../tenancy/collaborator/may.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { pinVersion } from "../dataset/dataset-item.ts";
import { getDataset } from "../dataset/store.ts";
import type { Scorer } from "../scorer/schemas.ts";
import { getScorers } from "../scorer/store.ts";
import { driverWaitMs } from "./driver.ts";
import { findVersions } from "./find-versions.ts";
import type { ExperimentItem } from "./items.ts";
import { maxOpenExperiments } from "./open-store.ts";
import { requestRun } from "./request-run.ts";
import type { CreateExperimentBody } from "./schemas.ts";
import { getExperiment, putNewExperiment } from "./store.ts";

/** Dependencies of starting an experiment. */
export type CreateExperimentDeps = {
  db: Database;
  objects: ObjectStore;
  send: Send;
  loadRevision: ReturnType<typeof revisionLoader>;
};

const defaults = { repetitions: 1, concurrency: 5 } as const;

/**
 * Starts an experiment on the queue, with its dataset, revisions and scorers as they are now. Throws 400 for a dataset,
 * version, revision or scorer that does not exist, 403 for agents that the caller may not test, and 409 for a dataset
 * without examples, and for a tenant that has as many open experiments as it may.
 */
export const createExperiment = async (
  deps: CreateExperimentDeps,
  {
    ctx,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal" | "once">;
    body: CreateExperimentBody;
  },
): Promise<ExperimentItem> => {
  const tenantId = ctx.tenant.id;
  const earlier = await findEarlier(deps, ctx);
  if (earlier) return earlier;
  const found = await findParts(deps, ctx, body);
  const { dataset, pinned, scorers, revisions } = found;
  const versions = await Promise.all(
    [...revisions].map(([revision, { content }]) =>
      findVersions(deps.db, tenantId, revision, content.flow),
    ),
  );
  const now = ctx.clock();
  const isWhole = pinned.version === dataset.version && (body.split ?? null) === null;
  const { repetitions, concurrency } = withDefaults(body);
  const total = dataset.exampleCount * body.revisions.length * repetitions;
  const item: ExperimentItem = {
    id: ctx.once?.token ?? newUuid(ctx),
    displayName: body.displayName ?? null,
    datasetId: body.datasetId,
    version: pinned.version,
    split: body.split ?? null,
    agentId: body.agentId,
    revisions: body.revisions,
    scorers: body.scorers,
    repetitions,
    concurrency,
    maxCost: body.maxCost ?? null,
    status: "Queued",
    error: null,
    progress: { total: isWhole ? total : null, completed: 0, failed: 0 },
    totalCost: 0,
    priced: true,
    createdAt: now,
    createdBy: ctx.principal.id,
    modifiedAt: now,
    endedAt: null,
    worker: null,
    leaseUntil: now + driverWaitMs,
    drive: {
      cursor: { after: null, index: 0, isDone: false },
      running: [],
      highestCost: {},
      stopping: null,
    },
    free: body.maxCost ?? null,
    reserved: {},
    reservations: 0,
  };
  const readsFiles = hasScope(ctx.principal, "executions:read");
  const config = { dataset: pinned, scorers, versions, readsFiles };
  if ((await putNewExperiment(deps, tenantId, item, config)) === "full") {
    throw conflict(
      `The tenant has ${maxOpenExperiments} experiments that have not ended, its limit. Wait for one to end, or cancel one.`,
    );
  }
  await requestRun(deps.send, { tenantId, experimentId: item.id });
  return item;
};

/** Returns the experiment that an earlier attempt of this request started, and asks for it again. */
const findEarlier = async (
  { db, send }: CreateExperimentDeps,
  { tenant, once }: Pick<TenantContext, "tenant" | "once">,
): Promise<ExperimentItem | undefined> => {
  for (const id of once?.earlier ?? []) {
    const found = await getExperiment(db, tenant.id, id);
    if (!found) continue;
    await requestRun(send, { tenantId: tenant.id, experimentId: id });
    return found;
  }
  return undefined;
};

const withDefaults = ({ repetitions, concurrency }: CreateExperimentBody) => ({
  repetitions: repetitions ?? defaults.repetitions,
  concurrency: concurrency ?? defaults.concurrency,
});

/** Finds what the experiment names. Throws 400 with everything that does not exist, then 403 and 409. */
const findParts = async (
  deps: CreateExperimentDeps,
  ctx: Pick<TenantContext, "tenant" | "principal">,
  input: CreateExperimentBody,
) => {
  const tenantId = ctx.tenant.id;
  const dataset = await getDataset(deps.db, tenantId, input.datasetId);
  const scorers = await getScorers(deps.db, tenantId, input.scorers);
  const revisions = await findRevisions(deps, tenantId, input);
  const pinned = dataset && pinVersion(dataset, input.version ?? undefined);
  const errors: ValidationIssue[] = [];
  const missing = (pointer: string, detail: string) => errors.push({ pointer, detail });
  if (!dataset) missing("/datasetId", `there is no dataset "${input.datasetId}"`);
  else if (!pinned) missing("/version", `the dataset has no version ${input.version}`);
  for (const [at, id] of input.scorers.entries()) {
    if (!scorers[at]) missing(`/scorers/${at}`, `there is no scorer "${id}"`);
  }
  for (const [at, revision] of input.revisions.entries()) {
    if (revisions.has(revision)) continue;
    missing(`/revisions/${at}`, `the agent "${input.agentId}" has no revision ${revision}`);
  }
  if (!dataset || !pinned || errors.length > 0) throw validationFailed(errors);
  const known = scorers.filter((scorer): scorer is Scorer => scorer !== undefined);
  const agents = [
    input.agentId,
    ...[...revisions.values()].flatMap(({ flow }) => flow.agentIds),
    ...known.flatMap(({ agentId }) => agentId ?? []),
  ];
  await authorizeEffect(deps.db, { principal: ctx.principal, tenantId }, effects.test, agents);
  if (pinned.version === 0 || (pinned.version === dataset.version && dataset.exampleCount === 0)) {
    throw conflict(`The dataset "${dataset.id}" has no examples. Add some first.`);
  }
  return { dataset, pinned, scorers: known, revisions };
};

const findRevisions = async (
  deps: CreateExperimentDeps,
  tenantId: TenantContext["tenant"]["id"],
  { agentId, revisions }: CreateExperimentBody,
): Promise<ReadonlyMap<number, LoadedRevision>> => {
  const found = new Map<number, LoadedRevision>();
  for (const revision of revisions) {
    const loaded = await loadDeployed(deps, { tenantId, agentId, requested: revision });
    if (!("missing" in loaded)) found.set(revision, loaded.revision);
  }
  return found;
};
