import type { Database } from "../db/database.ts";
import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import { countOccurrence } from "../runtime/metrics.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { endWaits } from "../runtime/wait.ts";
import { releaseSlot, renewSlot, type SlotLease, takeSlot } from "./slot-store.ts";

/** Slot of a tenant. Release it after the work. */
export type Slot = { release: () => Promise<void> };

/** Slots of one pool, as known to a function instance. */
export type TenantSlots = {
  /**
   * Takes one of the group's slots and renews it until it is released; undefined when all are taken. If the storage
   * fails, returns a slot that limits nothing.
   */
  take: (group: string) => Promise<Slot | undefined>;
};

type SlotsOptions = {
  db: Database;
  /** Queue, or operation with a caller who waits. */
  pool: string;
  /** Slots of each tenant. */
  limit: number;
  runtime: Runtime;
  /** Resolves after the delay, or when the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** Lease duration of a slot. */
export const slotLeaseMs = 15_000;
/** Remaining lease at which a slot in use is renewed. */
const renewalLeftMs = 9_000;
/** Remaining lease below which an idle slot is renewed before its next use. */
const leastLeftMs = 3_000;
/** Cooldown after all slots were taken. */
const fullCooldownMs = 1_000;
/** Attempts to take a free slot, which another instance may take first. */
const attempts = 6;
/** Tenants in an instance's cache. */
const maxGroups = 500;

/** Slot that this instance holds. `uses`: times it was taken. */
type HeldSlot = SlotLease & { uses: number; isCrowded: boolean };
type Group = {
  idle: HeldSlot[];
  /** Slots that were held at the last read. */
  known: ReadonlySet<number>;
  fullUntil: number;
  /** Serializes the calls of an instance: once one finds no slot, the others skip the read. */
  turn: Promise<unknown>;
};

/**
 * Limits the concurrent function calls of each tenant. An instance keeps a released slot until its lease expires and
 * reuses it without a call to the storage. When half of the slots are held, one that was not reused, or was held long,
 * is freed on release.
 */
export const createTenantSlots = (options: SlotsOptions): TenantSlots => {
  const groups = new Map<string, Group>();

  const getGroup = (name: string): Group => {
    const known = groups.get(name) ?? newGroup();
    groups.delete(name);
    groups.set(name, known);
    const [eldest] = groups.keys();
    if (groups.size > maxGroups && eldest !== undefined) groups.delete(eldest);
    return known;
  };

  const startSlot = (name: string, held: HeldSlot): Slot => {
    const keeping = keepSlot(options, name, held);
    return {
      release: async () => {
        const { isLost, isSlow } = await keeping.end();
        if (isLost) return;
        if (held.isCrowded && (isSlow || held.uses === 1)) return freeSlot(options, name, held);
        getGroup(name).idle.push(held);
      },
    };
  };

  const takeSerially = (name: string): Promise<HeldSlot | undefined> => {
    const group = getGroup(name);
    const taken = group.turn.then(
      async () => (await reuse(options, name, group)) ?? (await takeFree(options, name, group)),
    );
    group.turn = taken.catch(() => undefined);
    return taken;
  };

  return {
    take: async (name) => {
      try {
        const held = await takeSerially(name);
        return held && startSlot(name, held);
      } catch (error) {
        log("slot-not-taken", {
          pool: options.pool,
          error: asError(error),
        });
        countOccurrence("TenantSlotsFailed");
        return { release: async () => undefined };
      }
    },
  };
};

const newGroup = (): Group => ({
  idle: [],
  known: new Set(),
  fullUntil: 0,
  turn: Promise.resolve(),
});

const isCrowded = (held: ReadonlySet<number>, limit: number): boolean => held.size * 2 >= limit;

/** Returns an idle slot of the instance, renewed if its lease expires soon or has expired. */
const reuse = async (
  { db, pool, limit, runtime }: SlotsOptions,
  group: string,
  { idle }: Group,
): Promise<HeldSlot | undefined> => {
  for (let held = idle.pop(); held; held = idle.pop()) {
    const now = runtime.clock();
    held.uses += 1;
    if (held.until - now > leastLeftMs) return held;
    const { slot, holder } = held;
    const until = now + slotLeaseMs;
    const all = await renewSlot(db, { pool, group }, { slot, holder, until }, now);
    if (all) return { slot, holder, until, uses: held.uses, isCrowded: isCrowded(all, limit) };
  }
  return undefined;
};

const takeFree = async (
  { db, pool, limit, runtime }: SlotsOptions,
  name: string,
  group: Group,
): Promise<HeldSlot | undefined> => {
  if (group.fullUntil > runtime.clock()) return undefined;
  const holder = Buffer.from(runtime.randomBytes(8)).toString("base64url");
  const all = Array.from({ length: limit }, (_, slot) => slot);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const free = all.filter((slot) => !group.known.has(slot));
    const isFull = free.length === 0;
    if (isFull && attempt > 0) {
      group.fullUntil = runtime.clock() + fullCooldownMs;
      return undefined;
    }
    const slot = pickSlot(isFull ? all : free, runtime);
    const now = runtime.clock();
    const lease = { slot, holder, until: now + slotLeaseMs };
    const { isTaken, held } = await takeSlot(db, { pool, group: name }, lease, now);
    group.known = held;
    if (isTaken) return { ...lease, uses: 1, isCrowded: isCrowded(held, limit) };
  }
  return undefined;
};

const pickSlot = (slots: readonly number[], { randomBytes }: Runtime): number => {
  const [high = 0, low = 0] = randomBytes(8).slice(6);
  return slots[(high * 256 + low) % slots.length] ?? 0;
};

/** Renews a slot until `end`, which returns whether it was renewed and whether another instance took it. */
const keepSlot = (
  { db, pool, limit, runtime, sleep }: SlotsOptions,
  group: string,
  held: HeldSlot,
) => {
  const over = new AbortController();
  let isSlow = false;
  let isLost = false;

  const renew = async (): Promise<void> => {
    const now = runtime.clock();
    const until = now + slotLeaseMs;
    try {
      const all = await renewSlot(db, { pool, group }, { ...held, until }, now);
      isSlow = true;
      isLost = all === undefined;
      if (all) Object.assign(held, { until, isCrowded: isCrowded(all, limit) });
    } catch (error) {
      log("slot-not-renewed", { pool, error: asError(error) });
    }
  };
  const keep = async (): Promise<void> => {
    while (!isLost) {
      const wait = held.until - renewalLeftMs - runtime.clock();
      await sleep(Math.max(wait, fullCooldownMs), over.signal);
      if (over.signal.aborted) return;
      await renew();
    }
  };
  const kept = keep();
  return {
    end: async () => {
      endWaits(over);
      await kept;
      return { isSlow, isLost };
    },
  };
};

const freeSlot = async (
  { db, pool }: SlotsOptions,
  group: string,
  held: HeldSlot,
): Promise<void> => {
  try {
    await releaseSlot(db, { pool, group }, held);
  } catch (error) {
    log("slot-not-released", { pool, error: asError(error) });
  }
};
