import type { Product } from "../functions/product.ts";
import type { Config } from "../settings/config.ts";
import type { AlarmSection } from "./alarm-row.ts";
import { failedCalls, slowCalls } from "./call-alarms.ts";
import { capacity, openSafeguards } from "./capacity-alarms.ts";
import { brokenSchedules, brokenWorkers, deadLetters, waitingWork } from "./queue-alarms.ts";

/** A deployment: its settings, its functions and the name of its table. */
export type Deployment = { config: Config; product: Product; table: string };

/** Returns all alarms of a deployment, in the order of docs/operations.md. */
export const planAlarms = ({ config, product, table }: Deployment): readonly AlarmSection[] => {
  const prefix = config.STACK_PREFIX;
  return [
    failedCalls(prefix),
    slowCalls(prefix, product),
    deadLetters(prefix),
    waitingWork(prefix, product),
    brokenWorkers(prefix, product),
    brokenSchedules(prefix),
    openSafeguards(prefix),
    capacity(config, table),
  ];
};
