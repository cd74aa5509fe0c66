import { openIndex } from "../../lib/executions/record/execution-record.ts";
import type { Classified, Item } from "./classify.ts";
import { isOpen } from "./is-open.ts";

/**
 * Cancels an execution or experiment that had not ended: it may continue at the source, and nothing may happen twice. The
 * jobs of this installation then end it. They find a queued or running execution by an entry of its own in the index, because
 * the batch that it was queued in is not imported.
 */
export const settleItem = (
  item: Item,
  classified: Pick<Classified, "family">,
  now: number,
): Item => {
  const isExecution = classified.family.name === "executions";
  const listed = isExecution && item.leaseUntil ? { ...item, ...toIndexEntry(item) } : item;
  if (!isOpen(classified, item)) return listed;
  const time = { N: String(now) };
  return {
    ...listed,
    status: { S: "Cancelled" },
    ...(isExecution ? { endTime: time, leaseUntil: { N: "0" } } : { modifiedAt: time }),
  };
};

const toIndexEntry = ({ sk }: Item): Item => {
  const entry = openIndex((sk?.S ?? "").slice("EXEC#".length));
  return Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, { S: value }]));
};
