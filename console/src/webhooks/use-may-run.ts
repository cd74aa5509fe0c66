import type { WebhookSubscription } from "../../../client/openapi.ts";
import { useRightsAtAll } from "../agent-queries/use-may-at.ts";

type Subscriber = Pick<WebhookSubscription, "subscriberType" | "subscriberId">;

/**
 * Returns whether the user may run all subscribers, as changes and replays require: agents and, as
 * far as scopes tell, connectors.
 */
export const useMayRun = (subscribers: readonly Subscriber[]): boolean => {
  const agents = subscribers.filter(({ subscriberType }) => subscriberType === "Agent");
  const { mayAt } = useRightsAtAll([...new Set(agents.map(({ subscriberId }) => subscriberId))]);
  return (
    subscribers.every(({ subscriberType }) => subscriberType === "Asset") || mayAt("agents:execute")
  );
};
