import * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listed } from "../../platform/db/keys.ts";
import {
  changeWhileHeld,
  type LeaseMembers,
  releaseLease,
  takeLease,
} from "../../platform/db/lease.ts";
import { listAll, listMatchingPage, listPage } from "../../platform/db/list-page.ts";
import { patch } from "../../platform/db/patch-item.ts";
import { SealedValue } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { deleteItem, putItem, updateItem } from "../../platform/db/write-item.ts";
import { Timestamp } from "../../platform/http/ids.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { connectionKey, connectionsList } from "../keys.ts";

/** Statuses of a connection. */
export const connectionStatuses = ["Pending", "Active", "Expired", "Revoked", "Failed"] as const;

/** A stored connection. Times in Unix milliseconds. */
export const ConnectionItem = z.object({
  id: z.string(),
  integrationConfigId: z.string(),
  ownerType: z.enum(["Tenant", "EndUser", "User"]),
  /** Absent for the tenant's. */
  ownerId: z.string().optional(),
  /** Differs from that of an earlier connection with the same id. */
  serial: z.string(),
  status: z.enum(connectionStatuses),
  /** Scopes that were given. */
  scopes: z.array(z.string()),
  /** Scopes that the last consent asked for. Servers do not return all of them, such as `offline_access`. */
  requestedScopes: z.array(z.string()).optional(),
  /** Those of them that services wanted beyond the scopes of the config. */
  addedScopes: z.array(z.string()).optional(),
  /** Scopes that the next consent asks for; those of the config, and the added ones, if absent. */
  wantedScopes: z.array(z.string()).optional(),
  /** Scopes that services wanted, and that the authorization server does not know. */
  refusedScopes: z.array(z.string()).optional(),
  /** Code of the last failure. */
  error: z.string().nullable(),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
  connectedAt: Timestamp.nullable(),
  /** When the access token expires, and from when it is refreshed; null where the server does not say. */
  expiresAt: Timestamp.nullable(),
  refreshAt: Timestamp.nullable(),
  isRefreshable: z.boolean(),
  /** The tokens with their server and client; absent without. */
  tokens: SealedValue.optional(),
  /** Hash of the config's destinations with which the tokens were issued. */
  target: z.string().optional(),
  /** Number of writes of tokens. */
  version: z.int(),
  /** Holder of its refresh. */
  refresher: z.string().nullish(),
  refresherUntil: z.int().nullish(),
});
export type ConnectionItem = z.output<typeof ConnectionItem>;

/** TENANT#t#CONNECTIONS / CONNECTION#id: reads a connection. */
export const getConnection = (
  db: Database,
  tenantId: TenantId,
  connectionId: string,
): Promise<ConnectionItem | undefined> =>
  getItem(db, connectionKey(tenantId, connectionId), ConnectionItem);

/** TENANT#t#CONNECTIONS / CONNECTION#…: lists the connections of a tenant, or of one config. */
export const listConnections = (
  db: Database,
  tenantId: TenantId,
  { configId, endUserId }: { configId?: string | undefined; endUserId?: string | undefined },
  page: PageRequest,
): Promise<Page<ConnectionItem>> => {
  const list = connectionsList(tenantId, configId);
  if (endUserId === undefined) return listPage(db, ConnectionItem, { list }, page);
  const matches = (item: ConnectionItem) =>
    item.ownerType === "EndUser" && item.ownerId === endUserId;
  return listMatchingPage(db, ConnectionItem, { list, matches }, page);
};

/** TENANT#t#CONNECTIONS / CONNECTION#config.…: yields all connections of a config. */
export const listAllConnections = (db: Database, tenantId: TenantId, configId: string) =>
  listAll(db, ConnectionItem, connectionsList(tenantId, configId));

/** Writes a new connection. Returns false when there is one with its id. */
export const putNewConnection = async (
  db: Database,
  tenantId: TenantId,
  item: ConnectionItem,
): Promise<boolean> => {
  const Item = { ...listed(connectionKey(tenantId, item.id)), ...item };
  return (await putItem(db, { Item, ...ifNew })).written;
};

/** Changes members of a connection as it was read. Returns false when its tokens were written since, or it was deleted. */
export const changeConnection = async (
  db: Database,
  tenantId: TenantId,
  { id, serial, version }: Pick<ConnectionItem, "id" | "serial" | "version">,
  set: Partial<ConnectionItem>,
): Promise<boolean> => {
  const expect = { serial, version };
  return (await updateItem(db, patch(connectionKey(tenantId, id), { set, expect }))).written;
};

/**
 * Stores the scopes that the next consent of a connection asks for. Returns false when others were stored since it was read, its tokens
 * were written, or it was deleted.
 */
export const putWantedScopes = async (
  db: Database,
  tenantId: TenantId,
  { id, serial, version, wantedScopes }: ConnectionItem,
  set: Pick<ConnectionItem, "wantedScopes" | "modifiedAt">,
): Promise<boolean> => {
  const expect = { serial, version, wantedScopes };
  return (await updateItem(db, patch(connectionKey(tenantId, id), { set, expect }))).written;
};

/**
 * Stores the scopes of a connection that the authorization server does not know, and those that are still wanted; none if absent.
 * Returns false as `putWantedScopes`.
 */
export const putRefusedScopes = async (
  db: Database,
  tenantId: TenantId,
  { id, serial, version, wantedScopes }: ConnectionItem,
  set: Pick<ConnectionItem, "refusedScopes" | "wantedScopes" | "addedScopes" | "modifiedAt">,
): Promise<boolean> => {
  const expect = { serial, version, wantedScopes };
  const update = patch(connectionKey(tenantId, id), { set, expect });
  const removal = set.wantedScopes === undefined ? " REMOVE #wantedScopes" : "";
  const UpdateExpression = update.UpdateExpression + removal;
  return (await updateItem(db, { ...update, UpdateExpression })).written;
};

/** Tokens of a connection as they are stored. */
export type NewTokens = Pick<
  ConnectionItem,
  "scopes" | "expiresAt" | "refreshAt" | "isRefreshable" | "tokens" | "target" | "modifiedAt"
> &
  Partial<Pick<ConnectionItem, "requestedScopes" | "addedScopes">> & { connectedAt?: number };

const active = { status: "Active", error: null };

/**
 * Stores the tokens of a consent, or of the client itself. Returns false when the connection was deleted, or, with `connectedAt`, when
 * another consent was given since that time.
 */
export const putConsentedTokens = async (
  db: Database,
  tenantId: TenantId,
  {
    id,
    serial,
    connectedAt,
  }: Pick<ConnectionItem, "id" | "serial"> & { connectedAt?: number | null },
  tokens: NewTokens,
): Promise<boolean> => {
  const update = patch(connectionKey(tenantId, id), {
    set: { ...active, ...tokens },
    expect: { serial, ...(connectedAt !== undefined && { connectedAt }) },
  });
  const { written } = await updateItem(db, {
    ...update,
    UpdateExpression: `${update.UpdateExpression} REMOVE wantedScopes, refresher, refresherUntil ADD version :one`,
    ConditionExpression: `${update.ConditionExpression} AND #status <> :revoked`,
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ":one": 1,
      ":revoked": "Revoked",
    },
  });
  return written;
};

const buildLease = (tenantId: TenantId, connectionId: string): LeaseMembers => ({
  key: connectionKey(tenantId, connectionId),
  holder: "refresher",
  until: "refresherUntil",
});

/** Takes the refresh of a connection as it was read. Returns false while another has it, and after a change. */
export const takeRefresh = async (
  db: Database,
  tenantId: TenantId,
  {
    id,
    serial,
    version,
    refreshAt,
  }: Pick<ConnectionItem, "id" | "serial" | "version" | "refreshAt">,
  { holder, until, now }: { holder: string; until: number; now: number },
): Promise<boolean> => {
  const expect = { serial, version, refreshAt };
  const lease = takeLease(buildLease(tenantId, id), { holder, until }, now, { expect });
  return (await updateItem(db, lease)).written;
};

/** Stores the tokens of a connection within its refresh. Returns false as `putRefreshedTokens`. */
export const putHeldTokens = async (
  db: Database,
  tenantId: TenantId,
  connectionId: string,
  { holder, tokens }: { holder: string; tokens: SealedValue },
): Promise<boolean> => {
  const change = { set: { tokens } };
  return (await updateItem(db, changeWhileHeld(buildLease(tenantId, connectionId), holder, change)))
    .written;
};

/** Stores refreshed tokens and ends the refresh, in one write. Returns false when another has taken it, or it was deleted. */
export const putRefreshedTokens = async (
  db: Database,
  tenantId: TenantId,
  connectionId: string,
  { holder, tokens }: { holder: string; tokens: NewTokens },
): Promise<boolean> => {
  const change = { set: { ...active, ...tokens }, add: { version: 1 } };
  const lease = releaseLease(buildLease(tenantId, connectionId), { holder }, change);
  return (await updateItem(db, lease)).written;
};

/**
 * Ends a refresh without tokens. `refused`: code with which the server refused, and the status without the tokens. `refreshAt`: when it
 * is tried again; as before if absent.
 */
export const endRefresh = async (
  db: Database,
  tenantId: TenantId,
  connectionId: string,
  {
    holder,
    refused,
    refreshAt,
    now,
  }: {
    holder: string;
    refused?: { error: string; status: "Expired" | "Failed" } | undefined;
    refreshAt?: number | undefined;
    now: number;
  },
): Promise<void> => {
  const change =
    refused === undefined
      ? { set: { refreshAt } }
      : {
          set: { ...refused, modifiedAt: now, isRefreshable: false },
          add: { version: 1 },
          remove: ["tokens"],
        };
  await updateItem(db, releaseLease(buildLease(tenantId, connectionId), { holder }, change));
};

/** Makes a connection unusable, and stops a refresh of it. Returns false when it was deleted. */
export const revokeConnectionItem = async (
  db: Database,
  tenantId: TenantId,
  { id, serial }: Pick<ConnectionItem, "id" | "serial">,
  now: number,
): Promise<boolean> => {
  const set = { status: "Revoked", modifiedAt: now };
  const update = patch(connectionKey(tenantId, id), { set, expect: { serial } });
  const { written } = await updateItem(db, {
    ...update,
    UpdateExpression: `${update.UpdateExpression} REMOVE refresher, refresherUntil ADD version :one`,
    ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ":one": 1 },
  });
  return written;
};

/** Deletes a connection, if it is still the one that was read. */
export const removeConnection = async (
  db: Database,
  tenantId: TenantId,
  { id, serial }: Pick<ConnectionItem, "id" | "serial">,
): Promise<boolean> => {
  const { written } = await deleteItem(db, {
    Key: connectionKey(tenantId, id),
    ConditionExpression: "#serial = :serial",
    ExpressionAttributeNames: { "#serial": "serial" },
    ExpressionAttributeValues: { ":serial": serial },
  });
  return written;
};
