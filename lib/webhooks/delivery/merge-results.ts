import type { DeliveryResultItem, DeliveryResultsItem } from "../webhook/items.ts";
import { startedId } from "./started-id.ts";

/** Returns the results of a dispatch or of a part of it, one for each subscription. */
export const toResults = ({
  delivery,
  replayId,
  attempts,
  targets,
}: DeliveryResultsItem): DeliveryResultItem[] =>
  targets.map(({ subscriptionId, agentId, status, error }) => ({
    subscriptionId,
    status: status ?? "Pending",
    attempts,
    executionId:
      agentId === undefined
        ? null
        : startedId({ id: delivery, subscriptionId, ...(replayId !== null && { replayId }) }),
    error: error ?? null,
    delivery,
    replayId,
    agentId: agentId ?? null,
  }));

/**
 * Merges the results of one delivery, so that each run has one: later ones replace earlier ones, but keep their
 * execution. Sorts by subscription, and then oldest run first.
 */
export const mergeResults = (results: readonly DeliveryResultItem[]): DeliveryResultItem[] => {
  const merged = new Map<string, DeliveryResultItem>();
  for (const result of results) {
    const name = `${result.subscriptionId}#${result.replayId ?? ""}`;
    const before = merged.get(name);
    merged.set(name, {
      ...result,
      executionId: result.executionId ?? before?.executionId ?? null,
      agentId: result.agentId ?? before?.agentId ?? null,
    });
  }
  return [...merged]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, result]) => result);
};
