import { scheduled } from "../../lib/edge/scheduled.ts";
import { database } from "../../lib/platform/db/database.ts";
import { sweepOutbox } from "../../lib/platform/outbox/sweep-outbox.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import * as rows from "./schedules.ts";

const deps = () => ({ db: database(), send, clock: systemRuntime.clock });

export const handler = scheduled(rows.sweepOutbox, deps, async (deps) => {
  await sweepOutbox(deps);
});
