import { getConnectors } from "../../chat/connector/store.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import { authorizeEffect } from "../../tenancy/collaborator/authorize.ts";
import { effects, hasScope } from "../../tenancy/collaborator/may.ts";
import type { TenantOwner } from "../../tenancy/tenant/store.ts";
import type { Subscription } from "./schemas.ts";
import { listSubscriptions } from "./subscription-store.ts";

/** The caller who lets deliveries run agents. */
type Caller = { principal: Principal; tenant: TenantOwner };
type Subscriber = Pick<Subscription, "subscriberType" | "subscriberId">;

/** Throws 403 unless the caller may run the agents of these subscribers, including those of connectors. */
export const authorizeSubscribers = async (
  db: Database,
  { principal, tenant }: Caller,
  subscribers: readonly Subscriber[],
): Promise<void> => {
  const selectIds = (type: Subscriber["subscriberType"]) =>
    subscribers.flatMap((subscriber) =>
      subscriber.subscriberType === type ? [subscriber.subscriberId] : [],
    );
  const connectors = await getConnectors(db, tenant.id, selectIds("Connector"));
  const agentIds = [...selectIds("Agent"), ...connectors.map(({ agentId }) => agentId)];
  await authorizeEffect(db, { principal, tenantId: tenant.id }, effects.run, agentIds);
};

/** Authorizes the caller for every subscriber of a webhook. */
export const authorizeAllSubscribers = async (
  db: Database,
  caller: Caller,
  webhookId: string,
): Promise<void> => {
  const { principal, tenant } = caller;
  const isUnlimited = hasScope(principal, effects.run.scope) && principal.userIds.length === 0;
  if (isUnlimited) return;
  await authorizeSubscribers(db, caller, await listSubscriptions(db, tenant.id, webhookId));
};
