import { getConnector } from "../../chat/connector/store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type Problem, validationFailed } from "../../platform/http/problems.ts";
import { chatProvider } from "../../vendors/registry/find-chat-provider.ts";
import type { Subscription } from "./schemas.ts";

type Subscriber = Pick<Subscription, "subscriberType" | "subscriberId">;

/**
 * Checks that replies to a mapped message can reach their conversation: the connector's provider finds it by its id.
 * Throws 400, also for an unknown connector.
 */
export const checkConnectorInput = async (
  db: Database,
  tenantId: TenantId,
  { input, ...subscriber }: Subscriber & { input?: unknown },
): Promise<void> => {
  if (subscriber.subscriberType !== "Connector") return;
  const connector = await getConnector(db, tenantId, subscriber.subscriberId);
  if (!connector) throw noSubscriber(subscriber);
  const provider = chatProvider(connector.provider);
  if (input === null || input === undefined || provider.buildReplyTo) return;
  const detail = `must be omitted for a connector of ${provider.displayName}, which can only reply to ${provider.displayName}'s own messages`;
  throw validationFailed([{ pointer: "/input", detail }]);
};

/** Creates the problem of a subscriber that does not exist. */
export const noSubscriber = ({ subscriberType, subscriberId }: Subscriber): Problem => {
  const detail = `there is no ${subscriberType.toLowerCase()} "${subscriberId}"`;
  return validationFailed([{ pointer: "/subscriberId", detail }]);
};
