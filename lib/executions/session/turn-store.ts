import type { Database } from "../../platform/db/database.ts";
import { type ObjectStore, packValue } from "../../platform/db/large-value.ts";
import { retainedPrefix, retentionClasses } from "../../platform/db/retained-prefix.ts";
import { executionsPrefix } from "../../platform/db/table.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { transact } from "../../platform/db/transact.ts";
import { computeTtl } from "../../tenancy/tenant/retention.ts";
import { type SessionPlace, sessionKey, sessionSummaryKey, turnKey } from "./keys.ts";
import type { KeptTurns, SessionItem, StoredTurn, TurnItem } from "./session-item.ts";
import type { HolderEnd } from "./session-store.ts";
import { estimateMessages, toTurnMessages } from "./turn-messages.ts";

type Storage = { db: Database; objects: ObjectStore };

/** Compressed bytes of a turn in an item; the bucket costs less for more. */
const maxItemBytes = 8_192;
/** Writes of one transaction that delete turns. */
const maxDeleted = 40;

const folder = ({ tenantId, agentId, digest }: SessionPlace, instance: string, days: number) =>
  `${retainedPrefix(executionsPrefix, days)}/${tenantId}/${agentId}/sessions/${digest}/${instance}/`;

/** Returns the prefixes of the objects of one instance of a session. */
export const sessionObjects = (place: SessionPlace, instance: string): string[] =>
  retentionClasses.map((days) => folder(place, instance, days));

/**
 * Stores the summary of turns in their place, while the execution has the session; false where it does not any more. The
 * oldest turns that the transaction has no room for are left to the end of the execution.
 */
export const storeSummary = async (
  { db, objects }: Storage,
  place: SessionPlace,
  {
    executionId,
    session: { instance, erased },
    turns,
    text,
    now,
    policy,
  }: {
    executionId: string;
    session: SessionItem;
    turns: readonly TurnItem[];
    text: string;
    now: number;
    policy: KeptTurns;
  },
): Promise<boolean> => {
  const before = (turns.at(-1)?.number ?? 0) + 1;
  const name = `${folder(place, instance, policy.retentionDays)}SUMMARY-${executionId}`;
  const summary = await packValue(text, name, objects, maxItemBytes);
  const ttl = computeTtl(now, policy.retentionDays);
  const item = { instance, before, summary, madeAt: now, ttl };
  const isShared = erased.length > 0;
  const { written } = await transact(db, [
    {
      ConditionCheck: {
        Key: sessionKey(place),
        // It has turns of people who were deleted since.
        ConditionExpression: `holder = :me AND #instance = :instance AND ${
          isShared ? "erased = :erased" : "attribute_not_exists(erased)"
        }`,
        ExpressionAttributeNames: { "#instance": "instance" },
        ExpressionAttributeValues: {
          ":me": executionId,
          ":instance": instance,
          ...(isShared && { ":erased": erased }),
        },
      },
    },
    { Put: { Item: { ...sessionSummaryKey(place, instance), ...item } } },
    ...deleteTurns(turns.slice(0, maxDeleted)),
  ]);
  return written;
};

/** Builds the writes that delete turns, at most 40. */
export const deleteTurns = (turns: readonly TurnItem[]): TransactionWrite[] =>
  turns.slice(0, maxDeleted).map(({ pk, sk }) => ({ Delete: { Key: { pk, sk } } }));

/** Characters of the texts of a turn that is too large to be kept whole. */
const maxCharacters = 100_000;
/** Bytes of a turn beyond which what its Prompts exchanged is not kept. */
const maxTurnBytes = 1_048_576;

/** Returns a turn that can be kept: whole, or without what its Prompts exchanged. */
export const fitTurn = (turn: StoredTurn): StoredTurn => {
  if (Buffer.byteLength(JSON.stringify(turn)) <= maxTurnBytes) return turn;
  const cut = (text: string) =>
    text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters).toWellFormed()}…`;
  return { input: cut(turn.input), exchanged: [], output: cut(turn.output) };
};

/** Stores what a turn needs in the bucket, and builds the write of its item. */
export const buildTurnWrite = async (
  objects: ObjectStore,
  place: SessionPlace,
  {
    turn,
    appended: { instance, number, persons },
    executionId,
    endedAt,
    policy,
  }: {
    turn: StoredTurn;
    appended: NonNullable<HolderEnd["appended"]>;
    executionId: string;
    endedAt: number;
    policy: KeptTurns;
  },
): Promise<{ write: TransactionWrite; tokens: number; object: string | undefined }> => {
  const name = `${folder(place, instance, policy.retentionDays)}TURN-${executionId}`;
  const packed = await packValue(turn, name, objects, maxItemBytes);
  const tokens = estimateMessages(toTurnMessages(turn));
  const ttl = computeTtl(endedAt, policy.retentionDays);
  const item = {
    instance,
    number,
    executionId,
    ...(persons.length > 0 && { persons }),
    endedAt,
    tokens,
    turn: packed,
    ttl,
  };
  return {
    write: { Put: { Item: { ...turnKey(place, instance, number), ...item } } },
    tokens,
    object: "object" in packed ? packed.object : undefined,
  };
};
