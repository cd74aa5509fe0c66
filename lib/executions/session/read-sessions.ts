import type { Principal } from "../../platform/auth/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItems } from "../../platform/db/get-items.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { listIndex } from "../../platform/db/list-index.ts";
import { maxReadForPage } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { notFound } from "../../platform/http/problems.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { isKept } from "../../tenancy/tenant/retention.ts";
import { sessionsIndexList, toSessionPlace } from "./keys.ts";
import { listSessionMessages } from "./load-session.ts";
import type { AgentSession, MessageOrder, SessionMessage } from "./schemas.ts";
import { maySee, SessionItem } from "./session-item.ts";
import { getSession } from "./session-store.ts";

/** Requires that the caller may see a session. Throws 404. */
export const requireSeen = (principal: Principal, item: SessionItem, sessionId: string): void => {
  if (!maySee(principal, item)) throw notFound("session", sessionId);
};

const toSession = (agentId: string, item: SessionItem, now: number): AgentSession | undefined => {
  const { id, createdAt, holder, queue, turnCount, endUserId = null, ttl } = item;
  if (id === undefined || createdAt === undefined || !isKept(item, now)) return undefined;
  return {
    id,
    agentId,
    endUserId,
    status: holder === undefined ? "Idle" : "Busy",
    executionId: holder ?? null,
    queuedCount: queue.length,
    turnCount,
    createdAt,
    modifiedAt: item.modifiedAt ?? createdAt,
    expiresAt: ttl === undefined ? null : ttl * 1_000,
  };
};

/** A session and its caller. */
export type SessionRead = {
  tenantId: TenantId;
  agentId: string;
  sessionId: string;
  principal: Principal;
  now: number;
};

/** Reads a session that its caller may see. Throws 404. */
export const readOwnSession = async (
  db: Database,
  { tenantId, agentId, sessionId, principal, now }: SessionRead,
): Promise<{ item: SessionItem; shown: AgentSession }> => {
  const item = await getSession(db, toSessionPlace(tenantId, agentId, sessionId));
  const shown = item && maySee(principal, item) ? toSession(agentId, item, now) : undefined;
  if (!item || !shown) throw notFound("session", sessionId);
  return { item, shown };
};

/**
 * Lists an agent's sessions that the caller may see, newest first. A page of filtered sessions may have fewer than its size,
 * or none, and still have a next one.
 */
export const listSessions = async (
  db: Database,
  {
    tenantId,
    agentId,
    principal,
    endUserId,
    now,
  }: Omit<SessionRead, "sessionId"> & { endUserId: string | undefined },
  { size, skip }: PageRequest,
): Promise<Page<AgentSession>> => {
  const request = { list: sessionsIndexList(tenantId, agentId), newestFirst: true };
  const items: AgentSession[] = [];
  let [left, read] = [skip, 0];
  for await (const keys of listIndex(db, request)) {
    const wanted = keys.slice(left);
    left = Math.max(0, left - keys.length);
    if (wanted.length === 0) continue;
    for (const item of await getItems(db, wanted, SessionItem)) {
      if (items.length === size || read === maxReadForPage) {
        return { items, nextPageToken: String(skip + read) };
      }
      read += 1;
      if (!item || !maySee(principal, item)) continue;
      if (endUserId !== undefined && item.endUserId !== endUserId) continue;
      const shown = toSession(agentId, item, now);
      if (shown) items.push(shown);
    }
  }
  return { items, nextPageToken: null };
};

/** Lists the messages of a session, as models see them. A page ends early where a response has no more room. */
export const listMessages = async (
  storage: { db: Database; objects: ObjectStore },
  {
    read: { tenantId, agentId, sessionId, principal, now },
    page: { size, skip },
    order,
  }: { read: SessionRead; page: PageRequest; order: MessageOrder },
): Promise<Page<SessionMessage>> => {
  const place = toSessionPlace(tenantId, agentId, sessionId);
  const { session, messages } = await listSessionMessages(storage, { place, now });
  const isSeen =
    session && maySee(principal, session) && toSession(agentId, session, now) !== undefined;
  if (!isSeen) throw notFound("session", sessionId);
  const items: SessionMessage[] = [];
  let bytes = 0;
  const ordered = order === "newest" ? messages.toReversed() : messages;
  for (const { turn, message } of ordered.slice(skip)) {
    const shown: SessionMessage = {
      executionId: turn?.executionId ?? null,
      role: message.role,
      text: message.role === "tool" ? null : message.text,
      files: message.role === "user" ? [...(message.files ?? [])] : [],
      toolCalls: message.role === "assistant" ? [...message.toolCalls] : [],
      results: message.role === "tool" ? [...message.results] : [],
      createdAt: turn?.endedAt ?? null,
    };
    bytes += responseBytes(shown);
    const isFull = items.length === size || (items.length > 0 && bytes > maxResponseBytes / 2);
    if (isFull) return { items, nextPageToken: String(skip + items.length) };
    items.push(shown);
  }
  return { items, nextPageToken: null };
};
