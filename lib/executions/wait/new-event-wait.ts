import { isJsonObject } from "../../values/json/json.ts";
import type { EventWait } from "../checkpoints/event-wait-store.ts";
import type { Job } from "../job/job.ts";
import { jobSecrets, maskInValue } from "../job/masks.ts";
import type { ExecutionKey } from "../record/keys.ts";
import type { ReachedWait } from "./open-waits.ts";

/** Seconds for which the registration of a wait is kept after its time, if nothing has removed it. */
const slackSeconds = 86_400;

/** Builds the registration of a wait for an event, in which secrets are masked; undefined for another wait. `now`: Unix milliseconds. */
export const newEventWait = (
  job: Job,
  root: ExecutionKey,
  { wait: { path, since, until, requested }, now }: { wait: ReachedWait; now: number },
): EventWait | undefined => {
  const { event } = requested ?? {};
  if (!event) return undefined;
  const { webhookId, eventTypes, match, lookbackSeconds } = event;
  const scope = maskInValue(event.scope, jobSecrets(job).inTraces);
  return {
    webhookId,
    executionId: job.item.id,
    path,
    root: { agentId: root.agentId, executionId: root.executionId },
    eventTypes: eventTypes && [...eventTypes],
    match,
    scope: isJsonObject(scope) ? scope : {},
    from: since - lookbackSeconds * 1_000,
    until,
    registeredAt: now,
    ttl: Math.ceil(until / 1_000) + slackSeconds,
  };
};
