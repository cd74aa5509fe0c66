import { scheduled } from "../../lib/edge/scheduled.ts";
import { recoverExperiments } from "../../lib/evaluation/experiment/recover-experiments.ts";
import { recoverExecutions } from "../../lib/executions/recover/recover-executions.ts";
import { database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import * as rows from "./schedules.ts";

const deps = () => ({ db: database(), send, clock: systemRuntime.clock });

export const handler = scheduled(rows.recoverExecutions, deps, async (deps) => {
  await recoverExecutions(deps);
  await recoverExperiments(deps);
});
