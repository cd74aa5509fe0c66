import { forRequest } from "../../platform/runtime/request-scope.ts";
import { maxSubscriptionsPerMessage } from "../messages.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import type { AgentOutcome } from "./evaluate-agent.ts";
import { evaluateDeliveries } from "./evaluate-deliveries.ts";
import type { Evaluated } from "./evaluate-together.ts";
import { queueInParts, queueMatch } from "./queue-subscribers.ts";
import type {
  DeliveryFailure,
  DispatchDeps,
  DispatchJob,
  DispatchRound,
  ReceivedDelivery,
} from "./received-delivery.ts";
import { type AgentStarts, notifySingly, startAgents, toTarget } from "./start-agents.ts";
import type { StoredDelivery } from "./store.ts";

/** A delivery with the outcomes of its filters and mappings. */
type EvaluatedDelivery = {
  delivery: ReceivedDelivery;
  evaluated: readonly Evaluated<AgentOutcome>[];
};

/** A delivery that is stored, with the subscriptions of agents that its stored form names. */
type ClaimedRound = EvaluatedDelivery & { named: readonly string[]; starts: AgentStarts };

/**
 * Stores received deliveries once, together with the outcomes of filters and mappings, and then starts their agents: a
 * repeated message finds its delivery stored and continues with the subscriptions that it names. Returns the failures by message.
 */
export const dispatchRound = async (
  deps: DispatchDeps,
  round: DispatchRound,
): Promise<Map<DispatchJob, DeliveryFailure>> => {
  const failures = new Map<DispatchJob, DeliveryFailure>();
  const outcomes = await evaluateDeliveries(deps, round);
  const evaluated = round.deliveries.flatMap((delivery, at): EvaluatedDelivery[] => {
    const outcome = outcomes[at] ?? [];
    if (!("failure" in outcome)) return [{ delivery, evaluated: outcome }];
    failures.set(delivery.job, outcome);
    return [];
  });
  const claimed = await claim(deps, evaluated, failures);
  const [first] = claimed;
  if (!first) return failures;
  const { tenantId } = first.delivery.job.message;
  const starts = claimed.map((one) => one.starts);
  // Runs that follow from one request are queued for it; those of several have the ids in their message.
  const requestId = claimed.length === 1 ? first.delivery.job.requestId : undefined;
  const starting = forRequest(requestId, () =>
    startAgents(deps, { tenantId, starts, call: round.call }),
  );
  await Promise.all(
    claimed.map(async ({ delivery, named, starts: { evaluated: startable } }, at) => {
      const { job, queued, awaited } = delivery;
      try {
        await forRequest(job.requestId, async () => {
          const others = named.filter(
            (id) => !startable.some(({ subscription }) => subscription.id === id),
          );
          await Promise.all([
            queueInParts(deps.sendMany, job.message, queued),
            queueMatch(deps.send, job.message, awaited),
            starting.then((failed) =>
              notifySingly(deps.sendMany, job.message, [...others, ...(failed[at] ?? [])]),
            ),
          ]);
        });
      } catch (failure) {
        failures.set(job, { failure });
      }
    }),
  );
  return failures;
};

/** Stores evaluated deliveries; returns those that are no duplicates. */
const claim = async (
  { db }: Pick<DispatchDeps, "db">,
  all: readonly EvaluatedDelivery[],
  failures: Map<DispatchJob, DeliveryFailure>,
): Promise<ClaimedRound[]> => {
  const [first] = all;
  if (!first) return [];
  const { tenantId } = first.delivery.job.message;
  const claims = all.map(({ delivery: { job, item, queued, signedBody }, evaluated }) => ({
    item: {
      ...item,
      attempts: job.receipt.attempt,
      targets: evaluated.map(toTarget),
      parts: Math.ceil(queued.length / maxSubscriptionsPerMessage),
    },
    signedBody,
  }));
  const outcomes = await claimDeliveries(db, tenantId, claims);
  return all.flatMap((one, at): ClaimedRound[] => {
    const outcome = outcomes[at] ?? { failure: new Error("not stored") };
    if ("failure" in outcome) failures.set(one.delivery.job, outcome);
    if ("failure" in outcome || outcome.outcome === "duplicate") return [];
    const named = listNamed(outcome.delivery);
    return [{ ...one, named, starts: toStarts(one, named, all.length > 1) }];
  });
};

/** Returns the subscriptions of a stored delivery that have no result: their agents are to be started. */
const listNamed = ({ targets }: StoredDelivery): string[] =>
  targets.flatMap(({ subscriptionId, status }) => (status === undefined ? [subscriptionId] : []));

const toStarts = (
  { delivery: { job }, evaluated }: EvaluatedDelivery,
  named: readonly string[],
  isOfSeveral: boolean,
): AgentStarts => ({
  evaluated: evaluated.filter(
    ({ subscription, outcome }) =>
      named.includes(subscription.id) && outcome !== "open" && "plan" in outcome,
  ),
  isRepeated: job.receipt.attempt > 1,
  ...(isOfSeveral && { requestId: job.requestId }),
});
