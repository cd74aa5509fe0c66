import type { Classified, Item } from "./classify.ts";

/** Statuses of executions and experiments that have not ended. */
const openStatuses: ReadonlySet<string | undefined> = new Set(["Queued", "Running", "Waiting"]);

/** Returns whether an item is an execution or an experiment that has not ended. */
export const isOpen = ({ family }: Pick<Classified, "family">, item: Item): boolean =>
  (family.name === "executions" || family.name === "experiments") &&
  openStatuses.has(item.status?.S);
