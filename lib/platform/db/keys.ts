import { tableAttributes } from "./table.ts";
import type { TenantId } from "./tenant-id.ts";

/** Primary key of an item. */
export type Key = { pk: string; sk: string };

const revisionDigits = (revision: number): string => String(revision).padStart(10, "0");
const tenantPartition = (tenantId: TenantId): string => `TENANT#${tenantId}`;
const agentPartition = (tenantId: TenantId, agentId: string): string =>
  `TENANT#${tenantId}#AGENT#${agentId}`;
const webhookPartition = (tenantId: TenantId, webhookId: string): string =>
  `TENANT#${tenantId}#WEBHOOK#${webhookId}`;
const executionPartition = (tenantId: TenantId, executionId: string): string =>
  `TENANT#${tenantId}#EXEC#${executionId}`;

export const tenantKey = (tenantId: string): Key => ({ pk: `TENANT#${tenantId}`, sk: "TENANT" });
export const tenantAliasKey = (slug: string): Key => ({ pk: `TENANT#${slug}`, sk: "ALIAS" });
export const organizationTenantKey = (organizationId: string, slug: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `TENANT#${slug}`,
});

export const apiKeyKey = (organizationId: string, keyId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `KEY#${keyId}`,
});
/** Stands while a key is not revoked: what the list of live keys is read from. */
export const liveKeyKey = (organizationId: string, keyId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `LIVE#KEY#${keyId}`,
});
export const keyHashKey = (sha256: string): Key => ({ pk: `KEYHASH#${sha256}`, sk: "KEYHASH" });
/** Event ids are version 7 uuids, so they sort by time. */
export const auditEventKey = (keyId: string, eventId: string): Key => ({
  pk: `KEY#${keyId}`,
  sk: `AUDIT#${eventId}`,
});

export const userRateKey = (organizationId: string, userId: string): Key => ({
  pk: `RATE#USER#${organizationId}#${userId}`,
  sk: "RATE",
});
export const webhookRateKey = (webhookId: string): Key => ({
  pk: `RATE#WEBHOOK#${webhookId}`,
  sk: "RATE",
});
export const addressRateKey = (address: string): Key => ({
  pk: `RATE#ADDRESS#${address}`,
  sk: "RATE",
});
/** Failed calls of an address at one webhook's signed address. */
export const senderRateKey = (sender: { address: string; webhookId: string }): Key => ({
  pk: `RATE#ADDRESS#${sender.address}#WEBHOOK#${sender.webhookId}`,
  sk: "RATE",
});

/** `digest` is of what was called, where, and the client's own key. */
export const idempotencyKey = (
  principal: { type: string; organizationId: string; id: string },
  digest: string,
): Key => ({
  pk: `IDEM#${principal.type}#${principal.organizationId}#${principal.id}#${digest}`,
  sk: "IDEM",
});

export const agentKey = (tenantId: TenantId, agentId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `AGENT#${agentId}`,
});
/** Stands while what a deleted agent left is being removed; its id is not free until then. */
export const deletedAgentKey = (tenantId: TenantId, agentId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `DELETED#AGENT#${agentId}`,
});
export const skillKey = (tenantId: TenantId, skillId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `SKILL#${skillId}`,
});
export const webhookKey = (tenantId: TenantId, webhookId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `WEBHOOK#${webhookId}`,
});
/** Stands while what a deleted webhook left is being removed. */
export const deletedWebhookKey = (tenantId: TenantId, webhookId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `DELETED#WEBHOOK#${webhookId}`,
});
export const subscriptionKey = (
  tenantId: TenantId,
  webhookId: string,
  subscriptionId: string,
): Key => ({ pk: webhookPartition(tenantId, webhookId), sk: `SUB#${subscriptionId}` });
/** Leads from a subscriber to its subscription. */
export const subscriberKey = (
  tenantId: TenantId,
  subscriber: { type: string; id: string },
  subscriptionId: string,
): Key => ({
  pk: `TENANT#${tenantId}#SUBSCRIBER#${subscriber.type}#${subscriber.id}`,
  sk: `SUB#${subscriptionId}`,
});
/** Delivery ids are version 7 uuids, so they sort by time. */
export const deliveryKey = (tenantId: TenantId, webhookId: string, id: string): Key => ({
  pk: webhookPartition(tenantId, webhookId),
  sk: `DELIVERY#${id}`,
});
/** Stands while the provider's own delivery id is known, 24 hours. */
export const seenDeliveryKey = (
  tenantId: TenantId,
  webhookId: string,
  deliveryId: string,
): Key => ({ pk: webhookPartition(tenantId, webhookId), sk: `SEEN#${deliveryId}` });
/** What became of a delivery at one subscriber. */
export const deliveryResultKey = (
  tenantId: TenantId,
  webhookId: string,
  id: string,
  subscriptionId: string,
): Key => ({
  pk: webhookPartition(tenantId, webhookId),
  sk: `RESULT#${id}#${subscriptionId}`,
});
/** What a revision list shows. */
export const revisionKey = (tenantId: TenantId, agentId: string, revision: number): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `REV#${revisionDigits(revision)}`,
});
/** What a revision holds; apart, so that lists never read it. */
export const revisionContentKey = (tenantId: TenantId, agentId: string, revision: number): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `CONTENT#${revisionDigits(revision)}`,
});
/** Execution ids are version 7 uuids made at startTime: the key sorts, and is found, by time and by id. */
export const executionKey = (tenantId: TenantId, agentId: string, executionId: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `EXEC#${executionId}`,
});
export const executionInputKey = (tenantId: TenantId, executionId: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: "INPUT",
});
export const executionOutputKey = (tenantId: TenantId, executionId: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: "OUTPUT",
});
/** A finished step of an execution that runs in the background. */
export const stepKey = (tenantId: TenantId, executionId: string, stepId: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: `STEP#${stepId}`,
});
/** The execution of a sub-agent that was begun at a place in a run. */
export const subExecutionKey = (tenantId: TenantId, executionId: string, path: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: `CHILD#${path}`,
});
/** Stands while an execution is not settled: who has it, and until when. Spread over shards by id. */
export const openExecutionKey = (executionId: string): Key => ({
  pk: `OPEN#${executionId.slice(-1)}`,
  sk: `EXEC#${executionId}`,
});

/** Which function calls work on a queue's messages for one tenant now. `group`: the tenant, or its organization. */
export const tenantSlotsKey = (queue: string, group: string): Key => ({
  pk: `SLOTS#${queue}#${group}`,
  sk: "SLOTS",
});
/** How often a message of an ordered queue was put off; `messageId` is the queue's own. */
export const deferralsKey = (messageId: string): Key => ({
  pk: `DEFERRALS#${messageId}`,
  sk: "DEFERRALS",
});

/** Stands until everybody was told of an event. */
export const outboxKey = (shard: string, eventId: string): Key => ({
  pk: `OUTBOX#${shard}`,
  sk: `EVENT#${eventId}`,
});

/** Counters of a revision: in all, or of one model. Spread over shards, which readers add up. */
export const usageKey = (
  tenantId: TenantId,
  agentId: string,
  counter: { revision: number; shard: number; model?: { providerId: string; modelId: string } },
): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: [
    "USAGE",
    revisionDigits(counter.revision),
    ...(counter.model
      ? [encodeURIComponent(counter.model.providerId), encodeURIComponent(counter.model.modelId)]
      : ["", ""]),
    String(counter.shard),
  ].join("#"),
});
/** A partition and the beginning of its sort keys: what a list is read from. */
export type ListKey = { pk: string; prefix: string };

export const organizationTenantsList = (organizationId: string): ListKey => ({
  pk: `ORG#${organizationId}`,
  prefix: "TENANT#",
});
export const apiKeysList = (organizationId: string): ListKey => ({
  pk: `ORG#${organizationId}`,
  prefix: "KEY#",
});
export const liveKeysList = (organizationId: string): ListKey => ({
  pk: `ORG#${organizationId}`,
  prefix: "LIVE#KEY#",
});
export const auditEventsList = (keyId: string): ListKey => ({
  pk: `KEY#${keyId}`,
  prefix: "AUDIT#",
});
export const agentsList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "AGENT#",
});
export const revisionsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "REV#",
});
export const executionsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "EXEC#",
});
export const revisionUsageList = (
  tenantId: TenantId,
  agentId: string,
  revision: number,
): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: `USAGE#${revisionDigits(revision)}#`,
});
export const agentUsageList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "USAGE#",
});
export const stepsList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "STEP#",
});
export const subExecutionsList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "CHILD#",
});
/** The executions that are not settled, in 16 shards. */
export const openExecutionsLists: readonly ListKey[] = [..."0123456789abcdef"].map((shard) => ({
  pk: `OPEN#${shard}`,
  prefix: "EXEC#",
}));
export const webhooksList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "WEBHOOK#",
});
export const subscriptionsList = (tenantId: TenantId, webhookId: string): ListKey => ({
  pk: webhookPartition(tenantId, webhookId),
  prefix: "SUB#",
});
export const subscriberList = (
  tenantId: TenantId,
  subscriber: { type: string; id: string },
): ListKey => ({
  pk: `TENANT#${tenantId}#SUBSCRIBER#${subscriber.type}#${subscriber.id}`,
  prefix: "SUB#",
});
export const deliveriesList = (tenantId: TenantId, webhookId: string): ListKey => ({
  pk: webhookPartition(tenantId, webhookId),
  prefix: "DELIVERY#",
});
export const deliveryResultsList = (
  tenantId: TenantId,
  webhookId: string,
  id: string,
): ListKey => ({ pk: webhookPartition(tenantId, webhookId), prefix: `RESULT#${id}#` });
/** Everything that hangs on a webhook. */
export const webhookChildrenList = (tenantId: TenantId, webhookId: string): ListKey => ({
  pk: webhookPartition(tenantId, webhookId),
  prefix: "",
});
/** Everything that hangs on an agent. */
export const agentChildrenList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "",
});
/** Everything that hangs on an execution. */
export const executionChildrenList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "",
});

/** The key of an item that lists by skipping: it stands in the listing index under the same key. */
export const listed = (key: Key): Key & Record<string, string> => ({
  ...key,
  [tableAttributes.indexPartitionKey]: key.pk,
  [tableAttributes.indexSortKey]: key.sk,
});

/** What an agent spent, and set aside, in a calendar month (`2026-11`, UTC). */
export const monthSpendKey = (tenantId: TenantId, agentId: string, month: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `SPEND#${month}`,
});
/** `userId` is the `sub` of the user's tokens. */
export const collaboratorKey = (tenantId: TenantId, agentId: string, userId: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `COLLAB#${userId}`,
});
export const collaboratorsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "COLLAB#",
});

export const providerKey = (tenantId: TenantId, providerId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `PROVIDER#${providerId}`,
});
export const providersList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "PROVIDER#",
});

/** An integration config as its latest revision has it. */
export const integrationConfigKey = (tenantId: TenantId, configId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `INTEGRATION#${configId}`,
});
export const integrationConfigsList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "INTEGRATION#",
});
/** What a revision of an integration config holds. */
export const integrationRevisionKey = (
  tenantId: TenantId,
  configId: string,
  revision: number,
): Key => ({
  pk: `TENANT#${tenantId}#INTEGRATION#${configId}`,
  sk: `REV#${revisionDigits(revision)}`,
});
export const integrationRevisionsList = (tenantId: TenantId, configId: string): ListKey => ({
  pk: `TENANT#${tenantId}#INTEGRATION#${configId}`,
  prefix: "REV#",
});
/** Stands while a config of an integration is published. */
export const publishedConfigKey = (
  tenantId: TenantId,
  integrationId: string,
  configId: string,
): Key => ({
  pk: tenantPartition(tenantId),
  sk: `PUBLISHED#${integrationId}#${configId}`,
});
export const publishedConfigsList = (tenantId: TenantId, integrationId: string): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: `PUBLISHED#${integrationId}#`,
});

/** Stands while a webhook's listener on the provider's side is being made: who is at it, and where. */
export const registeringKey = (tenantId: TenantId, webhookId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `REGISTERING#${webhookId}`,
});
/** Stands while a webhook's listener on the provider's side expires: one place for all tenants, in 16 shards, by day. */
export const expiringListenerKey = (
  tenantId: TenantId,
  webhookId: string,
  expiresAt: number,
): Key => ({
  pk: `EXPIRES#${webhookId.slice(-1)}`,
  sk: `${dayOf(expiresAt)}#${tenantId}#${webhookId}`,
});
/** The listeners that expire, in 16 shards; of each, those whose day is not after the one of `until`, Unix milliseconds. */
export const expiringListenersLists = (until: number): readonly (ListKey & { to: string })[] =>
  [..."0123456789abcdef"].map((shard) => ({
    pk: `EXPIRES#${shard}`,
    prefix: "",
    to: `${dayOf(until)}#~`,
  }));

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** In a partition of their own: an id may be as long as a sort key, 1,024 bytes. */
const assetsPartition = (tenantId: TenantId): string => `TENANT#${tenantId}#ASSETS`;
export const assetKey = (tenantId: TenantId, assetId: string): Key => ({
  pk: assetsPartition(tenantId),
  sk: assetId,
});
export const assetsList = (tenantId: TenantId): ListKey => ({
  pk: assetsPartition(tenantId),
  prefix: "",
});
/** Stands while a revision of the agent named an asset; `digest` is of the asset's id. */
export const agentAssetKey = (tenantId: TenantId, agentId: string, digest: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `ASSET#${digest}`,
});

export const skillsList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "SKILL#",
});

/** A connector by its id alone, as its address has it. */
export const connectorKey = (tenantId: TenantId, connectorId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `CONNECTOR#${connectorId}`,
});
/** Stands while what a deleted connector left is being removed. */
export const deletedConnectorKey = (tenantId: TenantId, connectorId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `DELETED#CONNECTOR#${connectorId}`,
});
/** The same connector among its agent's. Connector ids are version 7 uuids, so they sort by time. */
export const agentConnectorKey = (
  tenantId: TenantId,
  agentId: string,
  connectorId: string,
): Key => ({ pk: agentPartition(tenantId, agentId), sk: `CONNECTOR#${connectorId}` });
export const agentConnectorsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "CONNECTOR#",
});

/** A chat user of an agent. Ids begin with the time of the connector, so a connector's users stand together. */
export const chatUserKey = (tenantId: TenantId, agentId: string, chatUserId: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `CHATUSER#${chatUserId}`,
});
export const chatUsersList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "CHATUSER#",
});
/** Those of one connector, and of others of the same millisecond. */
export const connectorChatUsersList = (
  tenantId: TenantId,
  agentId: string,
  connectorId: string,
): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: `CHATUSER#${connectorId.slice(0, "01234567-89ab-".length)}`,
});
/** Ids of access requests are version 7 uuids, so they sort by time. */
export const accessRequestKey = (tenantId: TenantId, agentId: string, id: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `ACCESS#${id}`,
});
export const accessRequestsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "ACCESS#",
});
/** The same request once more, among those of its status. */
export const accessRequestByStatusKey = (
  tenantId: TenantId,
  agentId: string,
  status: string,
  id: string,
): Key => ({ pk: agentPartition(tenantId, agentId), sk: `ACCESSIN#${status}#${id}` });
export const accessRequestsByStatusList = (
  tenantId: TenantId,
  agentId: string,
  status: string,
): ListKey => ({ pk: agentPartition(tenantId, agentId), prefix: `ACCESSIN#${status}#` });
/** The message that made a request; stands while the request is pending. */
export const accessMessageKey = (tenantId: TenantId, agentId: string, id: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `ACCESSMESSAGE#${id}`,
});
/** Stands until the message of an approved request is on its queue: one place for all tenants, since people approve. */
export const approvedMessageKey = (accessRequestId: string): Key => ({
  pk: "APPROVED",
  sk: `ACCESS#${accessRequestId}`,
});
export const approvedMessagesList: ListKey = { pk: "APPROVED", prefix: "ACCESS#" };

/** Which schedules an agent may have; beside the agents, since it outlives its own until they are removed. */
export const schedulesKey = (tenantId: TenantId, agentId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `SCHEDULES#${agentId}`,
});
/** Everything that a connector keeps of conversations. */
export const connectorChildrenList = (tenantId: TenantId, connectorId: string): ListKey => ({
  pk: `TENANT#${tenantId}#CONNECTOR#${connectorId}`,
  prefix: "",
});
/** What was begun to answer a chat message, and how far it came; `digest` is of the message's own id. */
export const chatAnswerKey = (tenantId: TenantId, connectorId: string, digest: string): Key => ({
  pk: `TENANT#${tenantId}#CONNECTOR#${connectorId}`,
  sk: `ANSWER#${digest}`,
});
/** What was said in a conversation and answered. Message ids are version 7 uuids, so they sort by time. */
export const chatTurnKey = (
  tenantId: TenantId,
  connectorId: string,
  conversation: string,
  messageId: string,
): Key => ({
  pk: `TENANT#${tenantId}#CONNECTOR#${connectorId}`,
  sk: `TURN#${conversation}#${messageId}`,
});
export const chatTurnsList = (
  tenantId: TenantId,
  connectorId: string,
  conversation: string,
): ListKey => ({
  pk: `TENANT#${tenantId}#CONNECTOR#${connectorId}`,
  prefix: `TURN#${conversation}#`,
});

/** The events that stand in the outbox, in 16 shards. */
export const outboxLists: readonly ListKey[] = [..."0123456789abcdef"].map((shard) => ({
  pk: `OUTBOX#${shard}`,
  prefix: "EVENT#",
}));
/** Where an organization has its events sent. Ids are version 7 uuids, so they sort by time. */
export const eventDestinationKey = (organizationId: string, destinationId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `DESTINATION#${destinationId}`,
});
export const eventDestinationsList = (organizationId: string): ListKey => ({
  pk: `ORG#${organizationId}`,
  prefix: "DESTINATION#",
});
/** Stands for one event at one recipient; `digest` is of both. */
export const alertKey = (digest: string): Key => ({ pk: `ALERT#${digest}`, sk: "ALERT" });
/** Counts the mails of one kind to one address, which `digest` is of, in an hour since 1970. */
export const mailCountKey = (digest: string, hour: number): Key => ({
  pk: `MAILS#${digest}`,
  sk: `HOUR#${hour}`,
});
/** Stands while a key is to expire, by the day of its expiry (UTC). `expiresAt` in Unix milliseconds. */
export const keyExpiryKey = (
  expiresAt: number,
  { organizationId, keyId }: { organizationId: string; keyId: string },
): Key => ({ pk: `KEYEXPIRY#${dayOf(expiresAt)}`, sk: `KEY#${organizationId}#${keyId}` });
/** The keys that expire on the day (UTC) of a moment in Unix milliseconds. */
export const keyExpiriesList = (time: number): ListKey => ({
  pk: `KEYEXPIRY#${dayOf(time)}`,
  prefix: "KEY#",
});
