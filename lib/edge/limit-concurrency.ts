import { slotsTaken } from "../platform/http/problems.ts";
import { tenantConcurrency } from "../platform/runtime/env.ts";
import { functionSlots } from "../platform/slots/function-slots.ts";
import type { Slot, TenantSlots } from "../platform/slots/tenant-slots.ts";
import type { InTenant, Link } from "./context.ts";
import type { Row } from "./route.ts";

/** Takes one of the tenant's slots for the operation; undefined when all are taken. */
export type TakeSlot = () => Promise<Slot | undefined>;

/** Set by `limitConcurrency`: `takeSlot` for `slots: "handler"`, the held `slot` for `slots: "call"`. */
export type Slotted = { takeSlot: TakeSlot | undefined; slot: Slot | undefined };

/** Slots of a tenant where the deployment does not set them. */
const defaultLimit = 10;

/**
 * Limits the calls of a row that a tenant makes wait at a time, so that other tenants find a function for theirs. Throws
 * 429 when all slots are taken, before anything was called.
 */
export const limitConcurrency = (
  { operation, slots }: Pick<Row, "operation" | "slots">,
  create: typeof functionSlots = functionSlots,
): Link<InTenant & Slotted> => {
  let shared: TenantSlots | undefined;
  const release = async ({ context }: { context: Slotted }): Promise<void> => {
    await context.slot?.release();
    context.slot = undefined;
  };
  return {
    before: async ({ context }) => {
      const { database, tenant } = context;
      if (slots === undefined || !tenant) return;
      const take: TakeSlot = () => {
        shared ??= create(database(), {
          pool: operation,
          limit: tenantConcurrency() ?? defaultLimit,
        });
        return shared.take(tenant.id);
      };
      if (slots === "handler") {
        context.takeSlot = take;
        return;
      }
      context.slot = await take();
      if (!context.slot) throw slotsTaken();
    },
    after: release,
    onError: release,
  };
};
