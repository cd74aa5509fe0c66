import type { ThreadMemory } from "../../platform/sandbox/start-thread.ts";
import { isRecord } from "../json/json.ts";

/** Values that expressions see, by name. */
export type Scope = { readonly [name: string]: unknown };

/** Identifies the values of one unit of work; a value is sent to a sandbox's thread once. */
export type ScopeSession = { readonly id: number };

/** The changes of a scope that a thread needs for one evaluation. */
export type ScopeUpdate = {
  readonly session: number;
  /** Names that are currently visible. */
  readonly names: readonly string[];
  /** Values that the thread lacks, as JSON; a step's output by `steps/<id>`, its error by `errors/<id>`. */
  readonly added: readonly (readonly [key: string, json: string])[];
  /** Sessions that the thread can discard. */
  readonly dropped: readonly number[];
};

/** Bytes of JSON that a thread caches for all sessions; evicts the least recently used. */
const maxSentBytes = 24 * 1024 * 1024;

type Sent = { readonly values: Map<string, unknown>; bytes: number };
type SentSessions = { readonly open: Map<number, Sent>; dropped: number[] };

const sentTo = new WeakMap<ThreadMemory, SentSessions>();
const open = new Set<number>();
let lastSession = 0;

/** Opens a session; close it after the last evaluation. */
export const openSession = (): ScopeSession => {
  lastSession += 1;
  open.add(lastSession);
  return { id: lastSession };
};

/** Frees a session's values in each thread with the next message to it. */
export const closeSession = ({ id }: ScopeSession): void => {
  open.delete(id);
};

/** Returns the values of a scope that a thread lacks, and marks them as sent. */
export const updateScope = (
  memory: ThreadMemory,
  { id }: ScopeSession,
  scope: Scope,
): ScopeUpdate => {
  const sessions = sentTo.get(memory) ?? { open: new Map<number, Sent>(), dropped: [] };
  sentTo.set(memory, sessions);
  for (const key of sessions.open.keys()) if (!open.has(key)) drop(sessions, key);
  const sent = sessions.open.get(id) ?? { values: new Map<string, unknown>(), bytes: 0 };
  sessions.open.delete(id);
  sessions.open.set(id, sent);
  const added: [string, string][] = [];
  for (const [key, value] of flattenScope(scope)) {
    if (sent.values.has(key) && sent.values.get(key) === value) continue;
    const json = JSON.stringify(value);
    sent.values.set(key, value);
    sent.bytes += json.length;
    added.push([key, json]);
  }
  dropOldest(sessions);
  const { dropped } = sessions;
  sessions.dropped = [];
  const names = Object.keys(scope).filter((name) => scope[name] !== undefined);
  return { session: id, names, added, dropped };
};

const flattenScope = (scope: Scope): [string, unknown][] =>
  Object.entries(scope).flatMap(([name, value]): [string, unknown][] => {
    if (name !== "steps" || !isRecord(value)) return value === undefined ? [] : [[name, value]];
    return Object.entries(value).flatMap(([id, step]): [string, unknown][] => {
      const { output, error } = isRecord(step) ? step : {};
      const members: [string, unknown][] = [
        [`steps/${id}`, output],
        [`errors/${id}`, error],
      ];
      return members.filter(([, member]) => member !== undefined);
    });
  });

const drop = (sessions: SentSessions, id: number): void => {
  if (sessions.open.delete(id)) sessions.dropped.push(id);
};

const dropOldest = (sessions: SentSessions): void => {
  let bytes = 0;
  for (const sent of sessions.open.values()) bytes += sent.bytes;
  for (const [id, sent] of sessions.open) {
    if (bytes <= maxSentBytes || sessions.open.size === 1) return;
    bytes -= sent.bytes;
    drop(sessions, id);
  }
};
