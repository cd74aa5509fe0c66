import { database } from "../../lib/db/database.ts";
import { sweepOutbox as sweep } from "../../lib/event/sweep-outbox.ts";
import { scheduled } from "../../lib/queue/scheduled.ts";
import { send } from "../../lib/queue/send.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import { sweepOutbox } from "./schedules.ts";

const deps = () => ({ db: database(), send, clock: systemRuntime.clock });

export const handler = scheduled(sweepOutbox, deps, async (deps) => {
  await sweep(deps);
});
