/** The owner of a family's items: a tenant, an organization for all of its tenants, or none. */
export type FamilyOwner = "tenant" | "organization" | "none";

/**
 * A family of items of the table, by its keys. `{tenant}`, `{organization}`, `{slug}` and `{key}`, the id of an API
 * key, name the owner; `{…}` of another name is a part without `#`, with a leading `*` any text.
 */
export type TableFamily = {
  readonly name: string;
  readonly pk: string;
  /** Every sort key if absent. */
  readonly sk?: string;
  readonly owner: FamilyOwner;
  /** Where the owner is, if not in the key: a member of the item, or of JSON in a member (`message.tenantId`). */
  readonly ownerIn?: {
    readonly tenant?: string;
    readonly organization?: string;
    readonly key?: string;
  };
  /** Why the items are neither exported nor imported; absent for those that are. A deletion removes them too. */
  readonly staysBehind?: string;
  /** `work`: imported after the others, since jobs start what it lists. `gate`: makes the tenant exist, last. */
  readonly phase?: "work" | "gate";
  /** Whether jobs may remove the items as soon as they are imported. */
  readonly isShortLived?: boolean;
  /** Whether any message takes such an item, even one of a deleted tenant. It expires within hours, and names nothing but its tenant. */
  readonly isLease?: boolean;
  /** Encryption context of the sealed values in the item, by the parts of its key. */
  readonly seal?: Readonly<Record<string, string>>;
};

const tenant = "TENANT#{tenant}";
const agent = `${tenant}#AGENT#{agent}`;
const organization = "ORG#{organization}";
const expires = "expires within days";
const counter = "counts requests of minutes";

const tenantItem = (name: string, sk: string, more: Partial<TableFamily> = {}): TableFamily => ({
  name,
  pk: tenant,
  sk,
  owner: "tenant",
  ...more,
});

const agentItem = (name: string, sk: string, more: Partial<TableFamily> = {}): TableFamily => ({
  ...tenantItem(name, sk, more),
  pk: agent,
});

const partition = (name: string, pk: string, more: Partial<TableFamily> = {}): TableFamily => ({
  name,
  pk,
  owner: "tenant",
  ...more,
});

/** Name of the family of items with the names of schedules. */
export const schedulesFamily = "schedules of agents";

/**
 * All families of items, the first that matches counts. `test/contract/table-families.test.ts` requires one of each key
 * of a `keys.ts`.
 */
export const tableFamilies: readonly TableFamily[] = [
  tenantItem("tenant", "TENANT", { phase: "gate" }),
  { name: "slug", pk: "TENANT#{slug}", sk: "ALIAS", owner: "tenant", phase: "gate" },
  {
    name: "tenant in its organization",
    pk: organization,
    sk: "TENANT#{slug}",
    owner: "tenant",
    phase: "gate",
  },
  tenantItem("agents", "AGENT#{agent}"),
  tenantItem("deleted entities", "DELETED#{*entity}", { phase: "work", isShortLived: true }),
  tenantItem(schedulesFamily, "SCHEDULES#{agent}", {
    staysBehind: "names schedules of the installation, which an import creates again",
  }),
  tenantItem("skills", "SKILL#{skill}"),
  tenantItem("guardrails", "GUARDRAIL#{guardrail}"),
  tenantItem("providers of models", "PROVIDER#{provider}", {
    seal: { tenantId: "{tenant}", providerId: "{provider}" },
  }),
  tenantItem("integration configs", "INTEGRATION#{config}", {
    seal: { tenantId: "{tenant}", integrationConfigId: "{config}" },
  }),
  tenantItem("published integration configs", "PUBLISHED#{integration}#{config}"),
  tenantItem("webhooks", "WEBHOOK#{webhook}", {
    seal: { tenantId: "{tenant}", webhookId: "{webhook}" },
  }),
  tenantItem("registrations of webhooks", "REGISTERING#{webhook}", { isShortLived: true }),
  tenantItem("connectors", "CONNECTOR#{connector}", {
    seal: { tenantId: "{tenant}", connectorId: "{connector}" },
  }),
  tenantItem("secrets that sign addresses", "SIGNINGSECRET#{purpose}", {
    seal: { tenantId: "{tenant}", purpose: "{purpose}" },
  }),
  tenantItem("running experiments", "OPEN-EXPERIMENTS", { phase: "work", isShortLived: true }),
  agentItem("revisions", "REV#{revision}"),
  agentItem("contents of revisions", "CONTENT#{revision}", {
    seal: { tenantId: "{tenant}", agentId: "{agent}" },
  }),
  agentItem("collaborators", "COLLAB#{*user}"),
  agentItem("connectors of agents", "CONNECTOR#{connector}", {
    seal: { tenantId: "{tenant}", connectorId: "{connector}" },
  }),
  agentItem("chat users", "CHATUSER#{user}"),
  agentItem("access requests", "ACCESS#{request}"),
  agentItem("access requests by status", "ACCESSIN#{status}#{request}"),
  agentItem("messages of access requests", "ACCESSMESSAGE#{request}"),
  agentItem("uses of feedback links", "FEEDBACK#{link}"),
  agentItem("online evaluations", "EVALUATED#{*month}"),
  agentItem("spending", "SPEND#{month}"),
  agentItem("assets of agents", "ASSET#{digest}"),
  partition("revisions of guardrails", `${tenant}#GUARDRAIL#{guardrail}`, {
    sk: "REV#{revision}",
  }),
  partition("spending in shards", `${agent}#SPEND#{shard}`),
  partition("executions", `${agent}#EXEC#{shard}`, {
    sk: "EXEC#{execution}",
    phase: "work",
    seal: { tenantId: "{tenant}", executionId: "{execution}" },
  }),
  partition("values of executions", `${agent}#PARTS#{shard}`),
  partition("queued batches", `${tenant}#BATCH#{batch}`, {
    staysBehind: "stand for entries in an index, which an import adds",
  }),
  partition("sessions", `${agent}#SESSIONS#{shard}`),
  partition("memories", `${agent}#MEMORIES#{shard}`),
  partition("checkpoints of executions", `${tenant}#EXEC#{execution}`),
  partition("approvals", `${tenant}#APPROVALS`),
  partition("connections", `${tenant}#CONNECTIONS`, {
    sk: "CONNECTION#{connection}",
    seal: { tenantId: "{tenant}", connectionId: "{connection}" },
  }),
  partition("files", `${tenant}#FILES#{shard}`),
  partition("consents under way", `${tenant}#CONNECTIONS`, {
    sk: "CONSENT#{state}",
    staysBehind: "of ten minutes",
  }),
  partition("waits for connections", `${tenant}#CONNECTIONS`, {
    sk: "WAIT#{connection}#{approval}",
  }),
  partition("usage", `${tenant}#USAGE#{month}#{shard}`),
  partition("counters of scores", `${tenant}#SCORES#{month}#{shard}`),
  partition("revisions of integration configs", `${tenant}#INTEGRATION#{config}`, {
    seal: { tenantId: "{tenant}", integrationConfigId: "{config}" },
  }),
  partition("subscriptions", `${tenant}#WEBHOOK#{webhook}`),
  partition("deliveries", `${tenant}#WEBHOOK#{webhook}#DELIVERY#{delivery}`),
  partition("waits for events", `${tenant}#WEBHOOK#{webhook}#WAITS`),
  partition("received bodies", `${tenant}#WEBHOOK#{webhook}#BODY#{digest}`),
  partition("subscribers", `${tenant}#SUBSCRIBER#{type}#{*subscriber}`),
  partition("conversations", `${tenant}#CONNECTOR#{connector}#{shard}`),
  partition("assets", `${tenant}#ASSETS`, {
    sk: "{*asset}",
    seal: { tenantId: "{tenant}", assetId: "{asset}" },
  }),
  partition("deleted assets", `${tenant}#ASSETS#DELETED`, { phase: "work", isShortLived: true }),
  partition("due synchronizations", `${tenant}#INDEX#{index}`, {
    sk: "DUE",
    phase: "work",
    isShortLived: true,
  }),
  partition("documents", `${tenant}#INDEX#{index}`, { sk: "DOC#{*document}" }),
  partition("scorers", `${tenant}#SCORERS`),
  partition("datasets", `${tenant}#DATASETS`),
  partition("deleted datasets", `${tenant}#DATASETS#DELETED`, {
    phase: "work",
    isShortLived: true,
  }),
  partition("examples", `${tenant}#DATASET#{content}`),
  partition("experiments", `${tenant}#EXPERIMENTS`),
  partition("drivers of experiments", `${tenant}#EXPERIMENT#{experiment}`, {
    sk: "OPEN",
    phase: "work",
    isShortLived: true,
  }),
  partition("results of experiments", `${tenant}#EXPERIMENT#{experiment}`),
  {
    name: "expiring listeners",
    pk: "EXPIRES#{shard}",
    sk: "{day}#{tenant}#{webhook}",
    owner: "tenant",
    isShortLived: true,
  },
  {
    name: "approved messages",
    pk: "APPROVED",
    owner: "tenant",
    ownerIn: { tenant: "message.tenantId" },
    phase: "work",
    isShortLived: true,
  },
  {
    name: "unpublished events",
    pk: "OUTBOX#{shard}",
    owner: "tenant",
    ownerIn: { tenant: "tenantId", organization: "organizationId" },
    staysBehind: "published by the source within minutes",
  },
  {
    name: "slots of tenants",
    pk: "SLOTS#{pool}#{tenant}",
    owner: "tenant",
    staysBehind: "leases of seconds",
    isLease: true,
  },
  {
    name: "API keys",
    pk: organization,
    sk: "KEY#{key}",
    owner: "organization",
    ownerIn: { tenant: "mcpTenantId" },
  },
  { name: "active API keys", pk: organization, sk: "LIVE#KEY#{key}", owner: "organization" },
  {
    name: "number of active API keys",
    pk: organization,
    sk: "ACTIVEKEYS",
    owner: "organization",
    staysBehind: "counted again by an import",
  },
  {
    name: "hashes of API keys",
    pk: "KEYHASH#{sha256}",
    owner: "organization",
    ownerIn: { organization: "organizationId", key: "keyId" },
  },
  {
    name: "expiries of API keys",
    pk: "KEYEXPIRY#{day}",
    sk: "KEY#{organization}#{key}",
    owner: "organization",
  },
  { name: "history of API keys", pk: "KEY#{key}", owner: "organization" },
  {
    name: "event destinations",
    pk: organization,
    sk: "DESTINATION#{destination}",
    owner: "organization",
    seal: { organizationId: "{organization}", eventDestinationId: "{destination}" },
  },
  {
    name: "audit records",
    pk: `${organization}#AUDIT`,
    owner: "organization",
    ownerIn: { tenant: "tenantId" },
  },
  { name: "addresses of users", pk: "RATE#EMAIL#{organization}#{*address}", owner: "organization" },
  { name: "calls of users", pk: "RATE#USER#{organization}#{*user}", owner: "organization" },
  {
    name: "idempotent requests",
    pk: "IDEM#{type}#{organization}#{*request}",
    owner: "organization",
    staysBehind: expires,
  },
  {
    name: "slots of organizations",
    pk: "SLOTS#{pool}#{organization}",
    owner: "organization",
    staysBehind: "leases of seconds",
  },
  {
    name: "counters of webhooks",
    pk: "RATE#WEBHOOK#{webhook}",
    owner: "none",
    staysBehind: counter,
  },
  {
    name: "counters of addresses",
    pk: "RATE#ADDRESS#{*address}",
    owner: "none",
    staysBehind: counter,
  },
  { name: "sent alerts", pk: "ALERT#{digest}", owner: "none", staysBehind: expires },
  { name: "counters of mails", pk: "MAILS#{digest}", owner: "none", staysBehind: expires },
  { name: "delays of messages", pk: "DEFERRALS#{message}", owner: "none", staysBehind: expires },
  { name: "moves of tenants", pk: "TENANT-MOVES", owner: "none", staysBehind: "of the commands" },
];

/** The family of items in a tenant's partitions that are in no other. */
export const unknownFamily: TableFamily = { name: "others", pk: "TENANT#{*}", owner: "tenant" };
