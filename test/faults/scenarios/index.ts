import type { Scenario } from "../scenario.ts";
import { approvals } from "./approvals.ts";
import { budgets } from "./budgets.ts";
import { callbacks } from "./callbacks.ts";
import { cancelledWaits } from "./cancelled-waits.ts";
import { cancels } from "./cancels.ts";
import { chats } from "./chats.ts";
import { deliveries } from "./deliveries.ts";
import { documents } from "./documents.ts";
import { evaluations } from "./evaluations.ts";
import { eventWaits } from "./event-waits.ts";
import { executions } from "./executions.ts";
import { experiments } from "./experiments.ts";
import { fanOuts } from "./fan-outs.ts";
import { files } from "./files.ts";
import { keys } from "./keys.ts";
import { longWaits } from "./long-waits.ts";
import { memories } from "./memories.ts";
import { purges } from "./purges.ts";
import { schedules } from "./schedules.ts";
import { sessions } from "./sessions.ts";
import { shortWaits } from "./short-waits.ts";
import { subAgents } from "./sub-agents.ts";
import { syncs } from "./syncs.ts";
import { toolApprovals } from "./tool-approvals.ts";
import { waitingSubAgents } from "./waiting-sub-agents.ts";

const all: readonly Scenario[] = [
  executions,
  deliveries,
  fanOuts,
  chats,
  schedules,
  keys,
  budgets,
  purges,
  cancels,
  subAgents,
  experiments,
  documents,
  syncs,
  evaluations,
  approvals,
  toolApprovals,
  shortWaits,
  longWaits,
  callbacks,
  eventWaits,
  waitingSubAgents,
  cancelledWaits,
  sessions,
  memories,
  files,
];

const { WORK } = process.env;
const named = WORK?.split(",");

/** Every kind of work that the faults are run against; those that `WORK` names, where it is set. */
export const scenarios = all.filter(({ name }) => named?.includes(name) ?? true);

if (named && scenarios.length < named.length) {
  throw new Error(`WORK names kinds of work: ${all.map(({ name }) => name).join(", ")}`);
}
