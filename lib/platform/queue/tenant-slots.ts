import type { Database } from "../db/database.ts";
import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import { countOccurrence } from "../runtime/metrics.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { releaseSlot, renewSlot, type SlotLease, takeSlot } from "./slot-store.ts";

/** A tenant's place among the calls of a queue's function. Give it back when the work is over. */
export type Slot = { giveBack: () => Promise<void> };

/** The slots of one queue as one function instance knows them. */
export type TenantSlots = {
  /**
   * Takes one of the group's slots; undefined when all are held. Keeps it while the work goes on. When the storage
   * fails the work goes on without one.
   */
  take: (group: string) => Promise<Slot | undefined>;
};

type SlotsOptions = {
  db: Database;
  queue: string;
  /** Slots of each tenant. */
  limit: number;
  runtime: Runtime;
  /** Resolves after so many milliseconds, or when the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** The slot of a function that died is free after so long. */
export const slotLeaseMs = 15_000;
/** Work that goes on renews its slot when so much of the lease is left. */
const renewalLeftMs = 9_000;
/** With less than this left, a slot is renewed before other work begins under it. */
const leastLeftMs = 3_000;
/** So long after all slots were seen to be held, nobody looks again. */
const fullForMs = 1_000;
/** Another instance may take the slot that was seen to be free. */
const attempts = 6;
/** Tenants that an instance remembers. */
const maxGroups = 500;

/** A slot that this instance holds. `uses`: pieces of work under it. */
type Held = SlotLease & { uses: number; isCrowded: boolean };
type Group = {
  idle: Held[];
  /** Slots that were held when the instance last looked. */
  known: ReadonlySet<number>;
  fullUntil: number;
  /** Calls of one instance take one after the other: when one finds no slot, the others need not look. */
  turn: Promise<unknown>;
};

/**
 * Bounds the function calls that work for one tenant at a time. A slot is an attribute of the tenant's item with its
 * holder and when it expires. After the work it stays with the instance until then, and other work of the tenant
 * begins under it without a call to the storage, unless the tenant is short of slots: one that was not used again,
 * or was held long, is then freed at once.
 */
export const createTenantSlots = (options: SlotsOptions): TenantSlots => {
  const groups = new Map<string, Group>();

  const groupOf = (name: string): Group => {
    const known = groups.get(name) ?? newGroup();
    groups.delete(name);
    groups.set(name, known);
    const [eldest] = groups.keys();
    if (groups.size > maxGroups && eldest !== undefined) groups.delete(eldest);
    return known;
  };

  const begin = (name: string, held: Held): Slot => {
    const keeping = keepSlot(options, name, held);
    return {
      giveBack: async () => {
        const { isLost, isSlow } = await keeping.end();
        if (isLost) return;
        if (held.isCrowded && (isSlow || held.uses === 1)) return release(options, name, held);
        groupOf(name).idle.push(held);
      },
    };
  };

  const takeInTurn = (name: string): Promise<Held | undefined> => {
    const group = groupOf(name);
    const taken = group.turn.then(
      async () => (await reuse(options, name, group)) ?? (await takeFree(options, name, group)),
    );
    group.turn = taken.catch(() => undefined);
    return taken;
  };

  return {
    take: async (name) => {
      try {
        const held = await takeInTurn(name);
        return held && begin(name, held);
      } catch (error) {
        log().warn("tenant slot could not be taken", {
          queue: options.queue,
          error: asError(error),
        });
        countOccurrence("TenantSlotsFailed");
        return { giveBack: async () => undefined };
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

/** A slot that the instance has from earlier work; renewed when its lease is nearly over, or was. */
const reuse = async (
  { db, queue, limit, runtime }: SlotsOptions,
  group: string,
  { idle }: Group,
): Promise<Held | undefined> => {
  for (let held = idle.pop(); held; held = idle.pop()) {
    const now = runtime.clock();
    held.uses += 1;
    if (held.until - now > leastLeftMs) return held;
    const { slot, holder } = held;
    const until = now + slotLeaseMs;
    const all = await renewSlot(db, { queue, group }, { slot, holder, until }, now);
    if (all) return { slot, holder, until, uses: held.uses, isCrowded: isCrowded(all, limit) };
  }
  return undefined;
};

const takeFree = async (
  { db, queue, limit, runtime }: SlotsOptions,
  name: string,
  group: Group,
): Promise<Held | undefined> => {
  if (group.fullUntil > runtime.clock()) return undefined;
  const holder = Buffer.from(runtime.randomBytes(8)).toString("base64url");
  const all = Array.from({ length: limit }, (_, slot) => slot);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const free = all.filter((slot) => !group.known.has(slot));
    const isFull = free.length === 0;
    if (isFull && attempt > 0) {
      group.fullUntil = runtime.clock() + fullForMs;
      return undefined;
    }
    const slot = oneOf(isFull ? all : free, runtime);
    const now = runtime.clock();
    const lease = { slot, holder, until: now + slotLeaseMs };
    const { isTaken, held } = await takeSlot(db, { queue, group: name }, lease, now);
    group.known = held;
    if (isTaken) return { ...lease, uses: 1, isCrowded: isCrowded(held, limit) };
  }
  return undefined;
};

const oneOf = (slots: readonly number[], { randomBytes }: Runtime): number => {
  const [high = 0, low = 0] = randomBytes(8).slice(6);
  return slots[(high * 256 + low) % slots.length] ?? 0;
};

/** Renews a slot until the work under it ends; then says whether it was renewed, and whether another took it. */
const keepSlot = (
  { db, queue, limit, runtime, sleep }: SlotsOptions,
  group: string,
  held: Held,
) => {
  const over = new AbortController();
  let isSlow = false;
  let isLost = false;

  const renew = async (): Promise<void> => {
    const now = runtime.clock();
    const until = now + slotLeaseMs;
    try {
      const all = await renewSlot(db, { queue, group }, { ...held, until }, now);
      isSlow = true;
      isLost = all === undefined;
      if (all) Object.assign(held, { until, isCrowded: isCrowded(all, limit) });
    } catch (error) {
      log().warn("tenant slot could not be renewed", { queue, error: asError(error) });
    }
  };
  const keep = async (): Promise<void> => {
    while (!isLost) {
      const wait = held.until - renewalLeftMs - runtime.clock();
      await sleep(Math.max(wait, fullForMs), over.signal);
      if (over.signal.aborted) return;
      await renew();
    }
  };
  const kept = keep();
  return {
    end: async () => {
      over.abort();
      await kept;
      return { isSlow, isLost };
    },
  };
};

const release = async ({ db, queue }: SlotsOptions, group: string, held: Held): Promise<void> => {
  try {
    await releaseSlot(db, { queue, group }, held);
  } catch (error) {
    log().warn("tenant slot could not be freed", { queue, error: asError(error) });
  }
};
