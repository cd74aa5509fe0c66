import type { Scenario } from "../scenario.ts";
import { budgets } from "./budgets.ts";
import { cancels } from "./cancels.ts";
import { chats } from "./chats.ts";
import { deliveries } from "./deliveries.ts";
import { documents } from "./documents.ts";
import { evaluations } from "./evaluations.ts";
import { executions } from "./executions.ts";
import { experiments } from "./experiments.ts";
import { fanOuts } from "./fan-outs.ts";
import { keys } from "./keys.ts";
import { purges } from "./purges.ts";
import { schedules } from "./schedules.ts";
import { subAgents } from "./sub-agents.ts";
import { syncs } from "./syncs.ts";

/** Every kind of work that the faults are run against. */
export const scenarios: readonly Scenario[] = [
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
];
