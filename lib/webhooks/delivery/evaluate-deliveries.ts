import { forRequest } from "../../platform/runtime/request-scope.ts";
import type { AgentSubscriber } from "./evaluate-agent.ts";
import { type AgentOutcome, evaluateAgent, loadEvent } from "./evaluate-agent.ts";
import { type Evaluated, evaluateTogether, togetherMs } from "./evaluate-together.ts";
import type {
  DeliveryFailure,
  DispatchDeps,
  DispatchRound,
  ReceivedDelivery,
} from "./received-delivery.ts";

/** Time limit of a tenant's evaluations in a batch with messages of others, which wait for it. */
const mixedMs = 500;
/** Time limit of the evaluations of several deliveries in a batch of one tenant. */
const batchMs = 6_000;
/** Time before the function's timeout that is left to storage and queues: no evaluation begins in it. */
export const reservedMs = 10_000;

/**
 * Evaluates the agents' subscriptions of deliveries of one tenant together, when the evaluations of the batch's other tenants
 * before it have ended. Returns for each delivery the outcomes, or why its event cannot be read.
 */
export const evaluateDeliveries = async (
  deps: DispatchDeps,
  { deliveries, agents, call }: DispatchRound,
): Promise<(Evaluated<AgentOutcome>[] | DeliveryFailure)[]> => {
  const isMixed = call.tenants > 1;
  const evaluateAll = () => {
    const most = isMixed ? mixedMs : Math.min(togetherMs * deliveries.length, batchMs);
    const limitMs = Math.min(most, call.deadline - reservedMs - deps.runtime.clock());
    return Promise.all(
      deliveries.map((delivery) =>
        forRequest(delivery.job.requestId, () =>
          evaluateDelivery(deps, { delivery, agents, limitMs, isMixed }).catch(
            (failure: unknown): DeliveryFailure => ({ failure }),
          ),
        ),
      ),
    );
  };
  if (deliveries.every(({ own }) => own.length === 0)) return deliveries.map(() => []);
  return isMixed ? call.inTurn(evaluateAll) : evaluateAll();
};

const evaluateDelivery = async (
  deps: DispatchDeps,
  {
    delivery: { job, item, own },
    agents,
    limitMs,
    isMixed,
  }: Pick<DispatchRound, "agents"> & {
    delivery: ReceivedDelivery;
    limitMs: number;
    isMixed: boolean;
  },
): Promise<Evaluated<AgentOutcome>[]> => {
  if (own.length === 0) return [];
  if (limitMs <= 0) return own.map((subscription) => ({ subscription, outcome: "open" }));
  const { message } = job;
  const event = await loadEvent(deps, item);
  const all = own.map(
    (subscription): AgentSubscriber => ({
      subscription,
      agent: agents.get(subscription.subscriberId),
    }),
  );
  return evaluateTogether(deps, {
    tenantId: message.tenantId,
    all,
    limitMs,
    waitsForEnd: isMixed,
    evaluate: (subscriber, mapping) =>
      evaluateAgent(deps, { message, ...subscriber, event, mapping }),
  });
};
