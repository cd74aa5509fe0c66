import type { Database } from "../db/database.ts";
import { systemRuntime } from "../runtime/runtime.ts";
import { waitWithTimer } from "../runtime/wait.ts";
import { createTenantSlots, type TenantSlots } from "./tenant-slots.ts";

/** Creates the slots of a pool for this function instance. */
export const functionSlots = (
  db: Database,
  { pool, limit }: { pool: string; limit: number },
): TenantSlots =>
  createTenantSlots({
    db,
    pool,
    limit,
    runtime: systemRuntime,
    sleep: waitWithTimer,
  });
