import type { Deployed } from "../../agents/revision/load-deployed.ts";
import type { TakeSlot } from "../../edge/limit-concurrency.ts";
import { slotsTaken } from "../../platform/http/problems.ts";
import { endWaits } from "../../platform/runtime/wait.ts";
import type { Slot } from "../../platform/slots/tenant-slots.ts";
import type { ExecutionDeps } from "../job/job.ts";
import type { OpenRun } from "./run-execution.ts";

/** A run without a slot that takes longer takes one, too. */
const graceMs = 1_000;

/** The slot of a run; "later" for one that may be so short that it needs none, "none" when all were taken. */
type RunSlot = Slot | "later" | "none";

/** The slot that a run has; "soon" for one that takes it now, after it was longer than that. */
export type OwnSlot = Slot | "later" | "soon";

/** A caller of executions. */
type SlotTaker = {
  takeSlot: TakeSlot | undefined;
  /** Whether the caller gets 429 rather than 202 when all slots are taken. */
  isRefused: boolean;
  isStream: boolean;
};

/**
 * Takes a slot for a run that may call other systems, before it has called any, and for every event stream. Throws 429 for
 * a caller who cannot get 202 when all are taken: of events, or of a test.
 */
export const takeRunSlot = async (
  { takeSlot, isRefused, isStream }: SlotTaker,
  { revision }: Pick<Deployed, "revision">,
): Promise<RunSlot> => {
  if (!takeSlot) return "later";
  const provider = revision.defaultLlm?.providerId;
  const isLong = revision.flow.steps.some((step) => step.callsOut(provider));
  if (!isLong && !isStream) return "later";
  const slot = await takeSlot();
  if (slot) return slot;
  if (isRefused || isStream) throw slotsTaken();
  return "none";
};

/** Keeps the slot of a run until its end. One that has none takes one after a while, or leaves the run to a worker. */
export const occupySlot = async (
  deps: Pick<ExecutionDeps, "sleep">,
  {
    takeSlot,
    run,
    ended,
    slot,
  }: {
    takeSlot: TakeSlot | undefined;
    run: OpenRun;
    ended: Promise<unknown>;
    slot: OwnSlot;
  },
): Promise<void> => {
  const taken = typeof slot === "string" ? await takeLater(deps, { takeSlot, slot, ended }) : slot;
  if (taken === undefined) run.abandon();
  await ended;
  if (typeof taken === "object") await taken.release();
};

/** Returns a slot once a run takes long, undefined when all are taken, "ended" when it ended before. */
const takeLater = async (
  { sleep }: Pick<ExecutionDeps, "sleep">,
  {
    takeSlot,
    slot,
    ended,
  }: { takeSlot: TakeSlot | undefined; slot: "later" | "soon"; ended: Promise<unknown> },
): Promise<Slot | "ended" | undefined> => {
  const over = new AbortController();
  void ended.then(() => endWaits(over));
  if (slot === "later") await sleep(graceMs, over.signal);
  return over.signal.aborted || !takeSlot ? "ended" : takeSlot();
};
