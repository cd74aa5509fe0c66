import { database } from "../../lib/db/database.ts";
import { recoverExecutions as recover } from "../../lib/execution/recover-executions.ts";
import { scheduled } from "../../lib/queue/scheduled.ts";
import { send } from "../../lib/queue/send.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import { recoverExecutions } from "./schedules.ts";

const deps = () => ({ db: database(), send, clock: systemRuntime.clock });

export const handler = scheduled(recoverExecutions, deps, async (deps) => {
  await recover(deps);
});
