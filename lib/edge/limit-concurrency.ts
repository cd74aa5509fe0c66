import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { slotsTaken } from "../platform/http/problems.ts";
import { tenantConcurrency } from "../platform/runtime/env.ts";
import { functionSlots } from "../platform/slots/function-slots.ts";
import type { Slot, TenantSlots } from "../platform/slots/tenant-slots.ts";
import type { InTenant, Link } from "./context.ts";
import type { Row } from "./route.ts";

/** Takes one of the tenant's slots for the operation; undefined when all are taken. */
export type TakeSlot = () => Promise<Slot | undefined>;

/**
 * Set by `limitConcurrency`: `takeSlot` for `slots: "handler"`, the held `slot` for `slots: "call"`, and then `takeStreamSlot`
 * for a call that becomes a long stream.
 */
export type Slotted = {
  takeSlot: TakeSlot | undefined;
  slot: Slot | undefined;
  takeStreamSlot: TakeSlot | undefined;
  /** Work that a streamed row continues after its response, and then waits for. */
  background?: Promise<void>[];
};

/** Slots of a tenant where the deployment does not set them. */
const defaultLimit = 10;

const openPools = (create: typeof functionSlots) => {
  const pools = new Map<string, TenantSlots>();
  return async (
    db: Database,
    tenantId: TenantId,
    { pool, part }: { pool: string; part: number },
  ): Promise<Slot | undefined> => {
    const limit = Math.floor((tenantConcurrency() ?? defaultLimit) * part);
    // The stream of a tenant with one slot would leave none for its calls.
    if (limit === 0) return undefined;
    const shared = pools.get(pool) ?? create(db, { pool, limit });
    pools.set(pool, shared);
    return shared.take(tenantId);
  };
};

/** Creates what takes a slot of a tenant for a row without credentials, which finds its tenant itself. */
export const createSlotTaker = (
  { operation }: Pick<Row, "operation">,
  create: typeof functionSlots = functionSlots,
): ((db: Database, tenantId: TenantId) => Promise<Slot | undefined>) => {
  const takeFrom = openPools(create);
  return (db, tenantId) => takeFrom(db, tenantId, { pool: operation, part: 1 });
};

/**
 * Limits the calls of a row that a tenant makes wait at a time, so that other tenants find a function for theirs, and their
 * long streams to half of them, so that these leave slots for its calls. Throws 429 when all slots are taken, before anything
 * was called.
 */
export const limitConcurrency = (
  { operation, slots, withoutSlot }: Pick<Row, "operation" | "slots" | "withoutSlot">,
  create: typeof functionSlots = functionSlots,
): Link<InTenant & Slotted> => {
  const takeFrom = openPools(create);
  const release = async ({ context }: { context: Slotted }): Promise<void> => {
    const { slot, background = [] } = context;
    context.slot = undefined;
    const ended = Promise.allSettled(background);
    const isOver = await Promise.race([ended.then(() => true), nextTurn(false)]);
    if (isOver) await slot?.release();
    else background.push(ended.then(() => slot?.release()));
  };
  return {
    before: async ({ context }) => {
      const { database, tenant } = context;
      if (slots === undefined || !tenant) return;
      const take: TakeSlot = () => takeFrom(database(), tenant.id, { pool: operation, part: 1 });
      if (slots === "handler") {
        context.takeSlot = take;
        return;
      }
      context.slot = await take();
      if (!context.slot) throw slotsTaken(withoutSlot);
      const streams = { pool: `${operation}-streams`, part: 0.5 };
      context.takeStreamSlot = () => takeFrom(database(), tenant.id, streams);
    },
    after: release,
    onError: release,
  };
};
