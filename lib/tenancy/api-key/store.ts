import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { listed } from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { moveExpiry } from "./expiry-store.ts";
import { ApiKeyItem, AuditEventItem } from "./items.ts";
import { countKey, ifCounted, LiveKey, moveCount, uncountKey } from "./key-count.ts";
import { keyEvents } from "./key-event.ts";
import { deleteHash, type HashUse, neverUsed, putHash, updateHash } from "./key-hash-store.ts";
import {
  apiKeyKey,
  apiKeysList,
  auditEventKey,
  auditEventsList,
  liveKeyKey,
  liveKeysList,
} from "./keys.ts";

/** ORG#o / KEY#id: reads a key. */
export const getApiKey = (
  db: Database,
  organizationId: string,
  keyId: string,
): Promise<ApiKeyItem | undefined> => getItem(db, apiKeyKey(organizationId, keyId), ApiKeyItem);

/** ORG#o / KEY#…: lists an organization's keys, revoked ones included, oldest first. */
export const listApiKeys = (db: Database, organizationId: string, page: PageRequest) =>
  listPage(db, ApiKeyItem, { list: apiKeysList(organizationId) }, page);

/** ORG#o / LIVE#KEY#…: lists an organization's keys that are not revoked, oldest first. */
export const listLiveApiKeys = async (
  db: Database,
  organizationId: string,
  page: PageRequest,
): Promise<Page<ApiKeyItem>> => {
  const marks = await listPage(db, LiveKey, { list: liveKeysList(organizationId) }, page);
  const keys = marks.items.map(({ keyId }) => apiKeyKey(organizationId, keyId));
  const items = (await getItems(db, keys, ApiKeyItem)).filter((key) => key !== undefined);
  return { items, nextPageToken: marks.nextPageToken };
};

/** KEY#id / AUDIT#…: lists a key's audit events, newest first. */
export const listAuditEventsNewestFirst = (db: Database, keyId: string, page: PageRequest) =>
  listPage(db, AuditEventItem, { list: auditEventsList(keyId), newestFirst: true }, page);

/**
 * Writes a new key with its hash, list entry and audit event; "taken" when the hash exists, "full" when the organization
 * has as many active keys as it may.
 */
export const putNewApiKey = async (
  db: Database,
  key: ApiKeyItem,
  event: AuditEventItem,
  limit?: number,
): Promise<"written" | "taken" | "full"> => {
  const outcome = await transact(db, writesOfNewKey(key, event, limit));
  if (outcome.written) return "written";
  return outcome.failed[0] ? "full" : "taken";
};

/** Builds the writes of a new key, for a transaction with other writes. */
export const writesOfNewKey = (
  key: ApiKeyItem,
  event: AuditEventItem,
  limit?: number,
): TransactionWrite[] => [
  countKey(key.organizationId, limit),
  putHash(key, neverUsed, key.userIds),
  { Put: { Item: { ...listed(apiKeyKey(key.organizationId, key.id)), ...key }, ...ifNew } },
  {
    Put: {
      Item: {
        ...listed(liveKeyKey(key.organizationId, key.id)),
        keyId: key.id,
        expiresAt: key.expiresAt,
      },
      ...ifNew,
    },
  },
  ...moveExpiry(null, key),
  ...putEvent(key, event),
];

/** A rotation of a key's secret. */
export type Rotation = {
  before: ApiKeyItem;
  after: ApiKeyItem;
  /** Use of the old secret, which the new one continues. */
  use: HashUse;
  /** Users that limit the new secret by their roles. */
  userIds: readonly string[];
  event: AuditEventItem;
  /** Conditions of the caller's permission. */
  conditions: readonly TransactionWrite[];
  /** Whether the key before it is counted as active. */
  isCounted: boolean;
};

/**
 * Replaces a key's secret and deletes those that are not in `after.previousSecrets`, with the audit event, in one
 * transaction. Returns "changed" when another change of the key came first, or a condition fails.
 */
export const putRotation = async (
  db: Database,
  { before, after, use, userIds, event, isCounted, conditions }: Rotation,
): Promise<"written" | "changed"> => {
  const kept = new Map(after.previousSecrets.map((secret) => [secret.sha256, secret.validUntil]));
  const old = [before.sha256, ...before.previousSecrets.map(({ sha256 }) => sha256)];
  const outcome = await transact(db, [
    replaceKey(before, after),
    putHash(after, use, userIds),
    ...old.map((sha256) => {
      const validUntil = kept.get(sha256);
      return validUntil === undefined ? deleteHash(sha256) : updateHash(sha256, after, validUntil);
    }),
    ...moveCount(before, after, isCounted),
    ...moveExpiry(before, after),
    ...putEvent(after, event),
    ...conditions,
  ]);
  return outcome.written ? "written" : "changed";
};

/** A change of a key that keeps its secret. */
export type KeyChangeWrites = Omit<Rotation, "use" | "userIds" | "conditions">;

/** Changes a key's name, scopes or expiry, and its hashes. Returns "changed" when another change came first. */
export const putKeyChange = async (
  db: Database,
  { before, after, event, isCounted }: KeyChangeWrites,
): Promise<"written" | "changed"> => {
  const outcome = await transact(db, [
    replaceKey(before, after),
    ...moveCount(before, after, isCounted),
    updateHash(before.sha256, after, null),
    ...before.previousSecrets.map(({ sha256, validUntil }) =>
      updateHash(sha256, after, validUntil),
    ),
    ...moveExpiry(before, after),
    ...putEvent(after, event),
  ]);
  return outcome.written ? "written" : "changed";
};

/** Revokes a key: deletes its hashes and list entry; keeps its item and audit events. */
export const putRevocation = async (
  db: Database,
  revocation: KeyChangeWrites,
): Promise<"written" | "changed"> => {
  const outcome = await transact(db, writesOfRevocation(revocation));
  return outcome.written ? "written" : "changed";
};

/** Builds the writes of a revocation, for a transaction with other writes. */
export const writesOfRevocation = ({
  before,
  after,
  event,
  isCounted,
}: KeyChangeWrites): TransactionWrite[] => [
  replaceKey(before, after),
  ...[before.sha256, ...before.previousSecrets.map(({ sha256 }) => sha256)].map(deleteHash),
  { Delete: { Key: liveKeyKey(before.organizationId, before.id), ...ifCounted(isCounted) } },
  ...(isCounted ? [uncountKey(before.organizationId)] : []),
  ...moveExpiry(before, null),
  ...putEvent(after, event),
];

/** Builds the write that replaces a key that is unchanged since it was read. */
const replaceKey = (before: ApiKeyItem, after: ApiKeyItem): TransactionWrite => ({
  Put: {
    Item: { ...listed(apiKeyKey(after.organizationId, after.id)), ...after },
    ConditionExpression: "sha256 = :sha256 AND version = :version",
    ExpressionAttributeValues: { ":sha256": before.sha256, ":version": before.version },
  },
});

/** Builds the writes of an audit event and its organization events. */
const putEvent = (key: ApiKeyItem, event: AuditEventItem): TransactionWrite[] => [
  { Put: { Item: { ...listed(auditEventKey(event.apiKeyId, event.id)), ...event }, ...ifNew } },
  ...keyEvents(key, event).map(putInOutbox),
];
