import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import type { ManagedAsset } from "../asset/asset-item.ts";
import type { SyncProgress } from "../asset/schemas.ts";
import type { Embedder } from "../document/embedder.ts";
import { type CountingDeps, writeCounted } from "../usage/embedding-usage.ts";
import { type ProgressUpdate, recordProgress, type SyncOwner } from "./sync-store.ts";

/** Lease of a worker, renewed with every update. */
export const syncLeaseMs = 60_000;
const updateMs = 5_000;

/** A worker's run of a synchronization. */
export type SyncRun = {
  readonly owner: SyncOwner;
  /** Aborted when time is over, or when the asset was deleted or another worker has it. */
  readonly signal: AbortSignal;
  readonly progress: { -readonly [Name in keyof SyncProgress]: SyncProgress[Name] };
  readonly state: () => "running" | "over" | "lost";
  /** Writes progress and usage now, and renews the lease. */
  readonly update: (set?: Pick<ProgressUpdate, "indexedWith">) => Promise<void>;
  /** Stops the timers. */
  readonly close: () => void;
};

type Update = Parameters<typeof recordProgress>[2];

/** Creates a run, which writes its progress every few seconds until it is closed. */
export const createRun = (
  deps: CountingDeps & { readonly clock: Clock },
  {
    owner,
    asset,
    embedder,
    until,
  }: { owner: SyncOwner; asset: ManagedAsset; embedder: Embedder; until: number },
): SyncRun => {
  const { clock } = deps;
  const ended = new AbortController();
  const progress = { ...asset.progress, documentsSeen: 0 };
  let state: ReturnType<SyncRun["state"]> = "running";
  let written = asset.sync?.updates ?? 0;
  let last: Promise<unknown> = Promise.resolve();
  /** The update without a response, to be repeated unchanged. */
  let unconfirmed: Update | undefined;

  const end = (reason: "over" | "lost") => {
    if (state === "running") state = reason;
    ended.abort(new Error(`the synchronization's run is ${reason}`));
  };
  const send = async (update: Update): Promise<void> => {
    const isRepeated = unconfirmed !== undefined;
    unconfirmed = update;
    if ((await recordProgress(deps, owner, update)) === "lost") {
      end("lost");
      const { used, ...time } = update.usage;
      // An update without a response may have been counted.
      if (!isRepeated)
        await writeCounted(deps, { tenantId: owner.tenantId, counted: { ...time, used: [used] } });
      return;
    }
    unconfirmed = undefined;
    written = update.number;
  };
  const writeNow = async (set?: Pick<ProgressUpdate, "indexedWith">): Promise<void> => {
    if (unconfirmed) await send(unconfirmed);
    if (state === "lost") return;
    const usage = { id: owner.worker, at: clock(), used: embedder.takeUsage() };
    const leaseUntil = clock() + syncLeaseMs;
    await send({
      number: written + 1,
      usage,
      set: { ...set, progress: { ...progress }, leaseUntil },
    });
  };
  const update: SyncRun["update"] = (set) => {
    const next = last.then(() => writeNow(set));
    last = next.catch(() => undefined);
    return next;
  };
  const beat = setInterval(() => {
    update().catch((error: unknown) => log("sync-progress-not-written", { error: asError(error) }));
  }, updateMs);
  const over = setTimeout(() => end("over"), Math.max(0, until - clock()));
  return {
    owner,
    signal: ended.signal,
    progress,
    state: () => state,
    update,
    close: () => {
      clearInterval(beat);
      clearTimeout(over);
      ended.abort();
    },
  };
};
