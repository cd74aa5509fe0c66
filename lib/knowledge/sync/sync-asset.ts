import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { beingChanged } from "../../platform/http/problems.ts";
import { LeasedElsewhereError } from "../../platform/queue/leased-elsewhere.ts";
import { maxAttempts } from "../../platform/queue/queues.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { Source } from "../../vendors/source.ts";
import { isManaged, type ManagedAsset } from "../asset/asset-item.ts";
import { requireSourceType } from "../asset/asset-sources.ts";
import { planRefresh } from "../asset/plan-refresh.ts";
import { openSourceCredentials, unmaskParameters } from "../asset/source-credentials.ts";
import { getAsset } from "../asset/store.ts";
import { createEmbedder, type Embedder, type EmbedderDeps } from "../document/embedder.ts";
import type { IndexTarget, IndexTextDeps } from "../document/index-text.ts";
import { indexName } from "../index/index-name.ts";
import type { SyncAssetMessage } from "../messages.ts";
import { readParameters } from "../sources/read-parameters.ts";
import { createSourceFetch, type SourceFetchOptions } from "../sources/source-fetch.ts";
import { upload } from "../sources/upload.ts";
import { continueLater } from "./continue-later.ts";
import { removeFromOtherIndexes, removeVanished } from "./finish-documents.ts";
import { reindexStored } from "./reindex-stored.ts";
import { type StartSyncDeps, startSync } from "./start-sync.ts";
import { isUpToDate, readKnown, type SourceView, syncDocuments } from "./sync-documents.ts";
import { syncFailure } from "./sync-failure.ts";
import { createRun, type SyncRun, syncLeaseMs } from "./sync-run.ts";
import { endSync, leaseSync } from "./sync-store.ts";

/** Dependencies of a synchronization. */
export type SyncDeps = IndexTextDeps &
  EmbedderDeps &
  StartSyncDeps &
  Pick<SourceFetchOptions, "outgoing" | "sleep"> & {
    readonly sealer: Sealer;
    readonly sourcesFor: (tenantId: TenantId) => readonly Source[];
    /** Most documents of a source; 100,000 unless given. */
    readonly mostDocuments?: number;
  };

/** `until`: when to stop, Unix milliseconds; `attempt`: which at the message, from 1. */
export type SyncReceipt = { readonly until: number; readonly attempt: number };

/**
 * Brings the index of an asset up to date with its source, and continues in another message when time runs out. A
 * document that did not change costs no embedding. Documents that are gone are removed after a complete reading only:
 * when the source or the model fails, the index stays as it is, and the asset has the error. Idempotent.
 */
export const syncAsset = async (
  deps: SyncDeps,
  { message, receipt }: { message: SyncAssetMessage; receipt: SyncReceipt },
): Promise<void> => {
  const { tenantId, assetId } = message;
  const asset = await takeSync(deps, message, receipt.attempt);
  if (!asset) return;
  const owner = { tenantId, assetId, worker: asset.sync?.worker ?? "" };
  const fail = async (error: string): Promise<void> =>
    startNext(deps, tenantId, assetId, await endSync(deps.db, owner, { status: "Failed", error }));
  const lost = new AbortController();
  let embedder: Embedder;
  try {
    const { embedding } = asset;
    embedder = await createEmbedder(deps, { tenantId, embedding, signal: lost.signal });
  } catch (error) {
    return fail(toFailureReason(error, receipt));
  }
  const run = createRun(deps, { owner, asset, embedder, until: receipt.until });
  run.signal.addEventListener("abort", () => lost.abort(run.signal.reason));
  try {
    const view = await loadSourceView(deps, asset, embedder, message);
    const outcome = await syncAll(deps, run, { asset, view, until: receipt.until }).catch(
      (error: unknown) => ({ error }),
    );
    if (run.state() === "lost") return;
    if ("error" in outcome && run.state() === "over") {
      const hasWorked = await continueLater(deps, { run, view, message });
      return hasWorked ? undefined : await fail("The synchronization makes no progress.");
    }
    await run.update();
    if ("error" in outcome) return await fail(toFailureReason(outcome.error, receipt));
    const { documentCount } = outcome;
    const set = {
      status: "Ready" as const,
      error: null,
      lastSyncedAt: deps.clock(),
      documentCount,
    };
    await startNext(deps, tenantId, assetId, await endSync(deps.db, owner, set));
  } finally {
    run.close();
  }
};

/**
 * Takes the synchronization of a message for a new worker; undefined when it has ended. Throws LeasedElsewhereError while
 * another one has it, which may have died with its message queued again.
 */
const takeSync = (
  { db, clock, runtime }: SyncDeps,
  { tenantId, assetId, indexId, syncId }: SyncAssetMessage,
  attempt: number,
): Promise<ManagedAsset | undefined> =>
  retryOnConflict({ maxPauseMs: 500, error: () => beingChanged("asset", assetId) }, async () => {
    const asset = await getAsset(db, tenantId, assetId);
    if (asset?.indexId !== indexId || !isManaged(asset) || asset.sync?.id !== syncId) return;
    const { sync } = asset;
    // A repeated attempt follows a crash, so it does not wait for the crashed worker's lease.
    if (attempt === 1 && sync.worker !== null && sync.leaseUntil > clock()) {
      throw new LeasedElsewhereError(sync.leaseUntil);
    }
    const worker = newUuid(runtime);
    const taken = await leaseSync(db, { tenantId, assetId, worker }, sync, clock() + syncLeaseMs);
    if (!taken) return "changed";
    return isManaged(taken) ? taken : undefined;
  });

/** Returns the reason for the asset's error. Throws an unexpected error, unless it is the last attempt. */
const toFailureReason = (error: unknown, { attempt }: SyncReceipt): string => {
  const reason = syncFailure(error);
  if (reason !== undefined) return reason;
  if (attempt < maxAttempts) throw error;
  return "The synchronization failed unexpectedly. Try again later.";
};

const startNext = async (
  deps: SyncDeps,
  tenantId: TenantId,
  assetId: string,
  outcome: Awaited<ReturnType<typeof endSync>>,
): Promise<void> => {
  if (outcome === "again") await startSync(deps, { tenantId, assetId });
  if (outcome !== "ended") return;
  const asset = await getAsset(deps.db, tenantId, assetId);
  if (asset) await planRefresh(deps.db, tenantId, asset, deps.clock());
};

const loadSourceView = async (
  deps: SyncDeps,
  asset: ManagedAsset,
  embedder: Embedder,
  { tenantId, indexId, syncId }: SyncAssetMessage,
): Promise<SourceView> => {
  const searched = indexName(tenantId, asset.indexedWith ?? asset.embedding);
  const target: IndexTarget = {
    place: { tenantId, indexId },
    embedder,
    seenIn: syncId,
    searched,
  };
  const known = await readKnown(deps, target);
  return { target, known, seen: new Set(), compared: new Set() };
};

type Work = {
  readonly asset: ManagedAsset;
  readonly view: SourceView;
  readonly until: number;
};

/**
 * Reads the source, then removes documents that are no longer in it and vectors of another model.
 */
const syncAll = async (
  deps: SyncDeps,
  run: SyncRun,
  { asset, view, until }: Work,
): Promise<{ documentCount: number }> => {
  const { target } = view;
  const { place, embedder } = target;
  const isUpload = asset.type === upload.key;
  if (isUpload) await reindexStored(deps, { run, target });
  else {
    await syncDocuments(deps, {
      run,
      view,
      documents: await openSource(deps, run, { asset, view, until }),
    });
    await removeVanished(deps, { run, view });
  }
  if (target.searched !== embedder.index) await run.update({ indexedWith: asset.embedding });
  // Uploads during the change of the index were embedded with the model before.
  if (isUpload && target.searched !== embedder.index) {
    await reindexStored(deps, { run, target: { ...target, searched: embedder.index } });
  }
  if (isUpload || target.searched !== embedder.index) {
    await removeFromOtherIndexes(deps, { run, place, searched: embedder.index });
  }
  const documents = isUpload ? await readKnown(deps, target) : view.known;
  const indexed = documents.values().filter(({ isCurrent }) => isCurrent);
  return { documentCount: [...indexed].length };
};

const openSource = async (
  { outgoing, clock, sleep, sealer, sourcesFor }: SyncDeps,
  { signal, owner }: SyncRun,
  { asset, view, until }: Work,
) => {
  const { tenantId } = owner;
  const source = requireSourceType(sourcesFor(tenantId), asset.type);
  const secrets = await openSourceCredentials(
    sealer,
    { tenantId, assetId: asset.id },
    asset.secrets,
  );
  const given = unmaskParameters(asset.parameters ?? {}, secrets);
  const parameters = readParameters(source, given, { at: "/parameters", outgoing });
  return source.read(parameters, {
    fetch: createSourceFetch({ outgoing, clock, sleep, until, signal }),
    signal,
    charge: () => signal.throwIfAborted(),
    skip: (document) => isUpToDate(view, document),
  });
};
