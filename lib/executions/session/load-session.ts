import * as z from "zod";
import type { FlowSession, Summarize } from "../../engine/flow/session.ts";
import type { ModelMessage } from "../../engine/models/model.ts";
import type { Database } from "../../platform/db/database.ts";
import { type ObjectStore, unpackValue } from "../../platform/db/large-value.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { isKept } from "../../tenancy/tenant/retention.ts";
import type { Json } from "../../values/json/json.ts";
import { type SessionPlace, sessionItemsList } from "./keys.ts";
import { isErased } from "./persons.ts";
import {
  divideTurns,
  type KeptTurns,
  SessionItem,
  SessionSummaryItem,
  StoredTurn,
  TurnItem,
} from "./session-item.ts";
import { toSummaryMessages, toTurnMessages } from "./turn-messages.ts";
import { storeSummary } from "./turn-store.ts";

type Storage = { db: Database; objects: ObjectStore };

/** A session with its turns, oldest first, as they are stored. */
export type StoredSession = {
  session: SessionItem | undefined;
  turns: readonly TurnItem[];
  /** Turns that the summary has: they were not deleted with it. */
  summarized: readonly TurnItem[];
  summary: SessionSummaryItem | undefined;
};

const AnyItem = z.union([TurnItem, SessionSummaryItem, SessionItem]);

/** TENANT#t#AGENT#a#SESSIONS#s / SESSION#digest…: reads a session, and its turns and its summary, also what has expired. */
export const readParts = async (
  db: Database,
  place: SessionPlace,
): Promise<{
  session: SessionItem | undefined;
  turns: readonly TurnItem[];
  summary: SessionSummaryItem | undefined;
}> => {
  const items = await Array.fromAsync(listAll(db, AnyItem, sessionItemsList(place)));
  const session = items.find((item) => "version" in item);
  const own = items
    .filter((item) => !("version" in item))
    .filter((item) => item.instance === session?.instance);
  return {
    session,
    turns: own.filter((item) => "number" in item),
    summary: own.find((item) => "before" in item),
  };
};

/** Reads a session with its turns, without what has expired, and without the turns of people who were deleted. */
export const readSession = async (
  db: Database,
  place: SessionPlace,
  now: number,
): Promise<StoredSession> => {
  const { session, ...parts } = await readParts(db, place);
  const erased = session?.erased ?? [];
  const turns = parts.turns.filter((turn) => isKept(turn, now) && !isErased(erased, turn));
  const isSummaryKept =
    parts.summary &&
    isKept(parts.summary, now) &&
    erased.every(({ at }) => (parts.summary?.madeAt ?? 0) > at);
  const summary = isSummaryKept ? parts.summary : undefined;
  const { before = 0 } = summary ?? {};
  return {
    session,
    turns: turns.filter(({ number }) => number >= before),
    summarized: turns.filter(({ number }) => number < before),
    summary,
  };
};

/** Reads a turn. */
export const readTurn = async (objects: ObjectStore, { turn }: TurnItem): Promise<StoredTurn> =>
  StoredTurn.parse(await unpackValue(turn, objects));

/** The session that a run has: its earlier turns, and what its own turn is added to. */
export type RunSession = {
  place: SessionPlace;
  /** Undefined where the execution does not have the session: it sees no turns, and adds none. */
  appending: { instance: string; number: number } | undefined;
  /** The end user that it belongs to; undefined without one, and for a session of several people. */
  endUserId: string | undefined;
  policy: KeptTurns;
  /** Earlier turns that its Prompts see. */
  turns: readonly StoredTurn[];
  flow: FlowSession;
  /** Returns the stored turns that are not kept when a turn of so many tokens is added. */
  listDropped: (tokens: number) => readonly TurnItem[];
};

/** The session of a run that ended. */
export type ClosedSession = {
  own: RunSession;
  /** Messages that its Prompts and their models exchanged, masked by its guardrails. */
  exchanged: readonly ModelMessage[];
  /** Masks in a value what its guardrails mask. */
  mask: (value: Json) => Json;
};

/** Loads the session of an execution that has it. */
export const loadRunSession = async (
  storage: Storage,
  {
    place,
    executionId,
    policy,
    now,
  }: { place: SessionPlace; executionId: string; policy: KeptTurns; now: number },
): Promise<RunSession> => {
  const { db, objects } = storage;
  const { session, ...stored } = await readSession(db, place, now);
  // Its holder does not have a session that was deleted before it began.
  const isHeld = session?.holder === executionId && session.createdAt !== undefined;
  const turns = isHeld ? stored.turns : [];
  const divided = divideTurns(turns, policy);
  const read = (items: readonly TurnItem[]) =>
    Promise.all(items.map((item) => readTurn(objects, item)));
  const kept = await read(divided.kept);
  const summary = isHeld && stored.summary ? await readSummary(objects, stored.summary) : undefined;
  let gone: readonly TurnItem[] = stored.summarized;
  let left = turns;

  const summarizeOlder = async (summarize: Summarize): Promise<readonly ModelMessage[]> => {
    const half = { maxTurns: Math.floor(policy.maxTurns / 2), maxTokens: policy.maxTokens / 2 };
    const parts = divideTurns(turns, half);
    const [older, newer] = await Promise.all([read(parts.older), read(parts.kept)]);
    const before = [
      ...(summary === undefined ? [] : toSummaryMessages(summary)),
      ...older.flatMap(toTurnMessages),
    ];
    const text = await summarize(before);
    const last = parts.older.at(-1);
    if (session && last) {
      const input = { executionId, session, turns: parts.older, text, now, policy };
      if (await storeSummary(storage, place, input)) {
        left = parts.kept;
        gone = [];
      }
    }
    return [...toSummaryMessages(text), ...newer.flatMap(toTurnMessages)];
  };
  const recallKept = () => [
    ...(summary === undefined ? [] : toSummaryMessages(summary)),
    ...kept.flatMap(toTurnMessages),
  ];
  const recall = async (summarize: Summarize): Promise<readonly ModelMessage[]> => {
    if (divided.older.length === 0 || policy.onOverflow === "drop") return recallKept();
    try {
      return await summarizeOlder(summarize);
    } catch (error) {
      log("session-not-summarized", { executionId, error: asError(error) });
      return recallKept();
    }
  };
  let recalled: Promise<readonly ModelMessage[]> | undefined;
  return {
    place,
    appending: isHeld ? { instance: session.instance, number: session.turnCount } : undefined,
    endUserId: isHeld ? session.endUserId : undefined,
    policy,
    turns: kept,
    flow: {
      recall: (summarize) => {
        recalled ??= recall(summarize);
        return recalled;
      },
    },
    listDropped: (tokens) => {
      const { maxTurns, maxTokens, onOverflow } = policy;
      // Turns to summarize are kept until a Prompt does it, within bounds.
      const slack = onOverflow === "summarize" ? 2 : 1;
      const room = { maxTurns: maxTurns * slack - 1, maxTokens: maxTokens * slack - tokens };
      return [...gone, ...divideTurns(left, room).older];
    },
  };
};

const readSummary = async (
  objects: ObjectStore,
  { summary }: SessionSummaryItem,
): Promise<string> => z.string().parse(await unpackValue(summary, objects));

/** Returns the messages of a stored session as models see them, oldest first, with the turn that they are of. */
export const listSessionMessages = async (
  { db, objects }: Storage,
  { place, now }: { place: SessionPlace; now: number },
): Promise<{
  session: SessionItem | undefined;
  messages: { turn: TurnItem | undefined; message: ModelMessage }[];
}> => {
  const { session, turns, summary } = await readSession(db, place, now);
  const texts = summary ? toSummaryMessages(await readSummary(objects, summary)) : [];
  const read = await Promise.all(
    turns.map(async (turn) =>
      toTurnMessages(await readTurn(objects, turn)).map((message) => ({ turn, message })),
    ),
  );
  const summed = texts.map((message) => ({ turn: undefined, message }));
  return { session, messages: [...summed, ...read.flat()] };
};
