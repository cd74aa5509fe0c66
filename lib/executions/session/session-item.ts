import * as z from "zod";
import type { SessionPolicy } from "../../agents/revision/session-policy.ts";
import type { ModelMessage } from "../../engine/models/model.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import { PackedValue } from "../../platform/db/large-value.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import { getStarter } from "../schemas.ts";
import { Erasure } from "./persons.ts";

/**
 * An execution that waits for its turn. `until`: until when a caller waits with it, Unix milliseconds; 0 for none.
 * `starterId`: the principal that started it by a call of the API. `endUserId`: owner of the session, if it begins with it.
 * `persons`: marks of the person of the execution.
 * `isErased`: whether that person was deleted since; it then adds no turn.
 */
const Waiter = z.object({
  id: z.string(),
  until: z.int(),
  starterId: z.string().optional(),
  endUserId: z.string().optional(),
  persons: z.array(z.string()).default([]),
  isErased: z.boolean().optional(),
});
export type Waiter = z.output<typeof Waiter>;

/** A session: who holds it, who waits for it, and what is shown of it. Times in Unix milliseconds. */
export const SessionItem = z.object({
  version: z.int(),
  /** Changes when the session is deleted while it is held. */
  instance: z.string(),
  /** Turns that it has had. */
  turnCount: z.int().default(0),
  /** The execution that has the session; absent for none. */
  holder: z.string().optional(),
  /** In their order of arrival. */
  queue: z.array(Waiter).default([]),
  /** Id of the session, who started it, and when; absent of a deleted session that is still held. */
  id: z.string().optional(),
  starter: z.object({ type: z.int(), id: z.string() }).optional(),
  endUserId: z.string().optional(),
  createdAt: z.int().optional(),
  modifiedAt: z.int().optional(),
  /** Marks of the people with executions that had it, or wait for it. */
  persons: z.set(z.string()).default(new Set()),
  /** Deletions of people who share it with others. */
  erased: z.array(Erasure).default([]),
  /** Expiry, Unix seconds; absent while it is held. */
  ttl: z.int().optional(),
});
export type SessionItem = z.output<typeof SessionItem>;

/** A stored turn of a session. */
export const TurnItem = z.object({
  pk: z.string(),
  sk: z.string(),
  instance: z.string(),
  /** From 0. */
  number: z.int(),
  executionId: z.string(),
  /** Marks of the person who wrote it. */
  persons: z.array(z.string()).default([]),
  /** When the execution ended, Unix milliseconds. */
  endedAt: z.int(),
  /** Estimated tokens of its messages. */
  tokens: z.int(),
  turn: PackedValue,
  ttl: z.int(),
});
export type TurnItem = z.output<typeof TurnItem>;

/** The stored summary of the turns before number `before`. */
export const SessionSummaryItem = z.object({
  pk: z.string(),
  sk: z.string(),
  instance: z.string(),
  before: z.int(),
  summary: PackedValue,
  /** When the session was read that it is made of, Unix milliseconds. */
  madeAt: z.int(),
  ttl: z.int(),
});
export type SessionSummaryItem = z.output<typeof SessionSummaryItem>;

const Message = z.custom<ModelMessage>((value) => typeof value === "object" && value !== null);

/** A turn: the text of the user, the messages that Prompts and models exchanged, and the output as text. */
export const StoredTurn = z.object({
  input: z.string(),
  exchanged: z.array(Message),
  output: z.string(),
});
export type StoredTurn = z.output<typeof StoredTurn>;

const maxTurns = 50;
const retentionDays = 30;

/** Limits of the turns that a session keeps. */
export type KeptTurns = {
  maxTurns: number;
  /** Estimated; Infinity for no limit. */
  maxTokens: number;
  onOverflow: "drop" | "summarize";
  retentionDays: number;
};

/** Returns a revision's policy with its defaults. */
export const toKeptTurns = (policy: SessionPolicy | null): KeptTurns => ({
  maxTurns: policy?.maxTurns ?? maxTurns,
  maxTokens: policy?.maxTokens ?? Number.POSITIVE_INFINITY,
  onOverflow: policy?.onOverflow ?? "drop",
  retentionDays: policy?.retentionDays ?? retentionDays,
});

/** Estimated tokens of all turns that models receive, whatever the policy: about 4 MB. */
const mostTokens = 1_000_000;

/** Divides turns, oldest first, into those that fit, the newest, and the older ones. */
export const divideTurns = <Item extends { tokens: number }>(
  turns: readonly Item[],
  { maxTurns: most, maxTokens }: Pick<KeptTurns, "maxTurns" | "maxTokens">,
): { older: readonly Item[]; kept: readonly Item[] } => {
  let left = Math.min(maxTokens, mostTokens);
  let count = 0;
  for (const { tokens } of turns.toReversed()) {
    left -= tokens;
    if (left < 0 || count === most) break;
    count += 1;
  }
  const at = turns.length - count;
  return { older: turns.slice(0, at), kept: turns.slice(at) };
};

/** Returns whether a principal may see a session: with `executions:read` all of them, without it those that it started. */
export const maySee = (principal: Principal, { starter }: SessionItem): boolean =>
  hasScope(principal, "executions:read") || getStarter(starter) === principal.id;

/**
 * Returns the id of the principal that must have started a session which it continues: the agent repeats its turns when it is
 * asked. Undefined for one that may continue all: a key is a program of the tenant.
 */
export const findRequiredStarter = (principal: Principal): string | undefined =>
  principal.type !== "User" || hasScope(principal, "executions:read") ? undefined : principal.id;
