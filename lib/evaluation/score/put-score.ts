import type { StoredExecution } from "../../executions/record/execution-record.ts";
import { toExecutionKey } from "../../executions/record/keys.ts";
import { getExecution } from "../../executions/record/store.ts";
import {
  parseScoreValue,
  type Score,
  type StoredScore,
  scoreLimits,
  toStoredScore,
} from "../../executions/scores.ts";
import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import {
  countScores,
  otherScores,
  type ScoreChange,
  toChange,
} from "../../spending/usage/score-counter.ts";
import { hasRoomForScore, type ScoreWrite, writeScore } from "./store.ts";

/** The execution that is scored. */
export type Scored = { tenantId: TenantId; agentId: string; executionId: string };

/** Writes that belong to a score, such as the use of a link, and the error when the condition of one fails. */
export type Alongside = {
  writes: readonly TransactionWrite[];
  error: () => Error;
  /** Whether only they are written when there is a score with the id. */
  isNew?: boolean;
};

/** Throws when a score may not be replaced or deleted. */
export type CheckBefore = (score: StoredScore) => void;

/**
 * Writes a score of an execution, in place of one with the same id, and counts it. Throws 404, and 409 when the
 * execution has 100 scores or 24 KiB of them.
 */
export const putScore = async (
  db: Database,
  of: Scored,
  score: Score,
  { alongside, check }: { alongside?: Alongside; check?: CheckBefore } = {},
): Promise<Score> => {
  const { id, ...members } = score;
  await changeScore(db, of, { id, after: toStoredScore(members), alongside, check });
  return score;
};

/** Deletes a score of an execution and takes it back from its counter. Throws 404. */
export const deleteScore = (
  db: Database,
  of: Scored,
  id: string,
  check?: CheckBefore,
): Promise<void> => changeScore(db, of, { id, after: undefined, check });

/** Attempts at a record that other callers score at the same time. */
const attempts = 20;
const maxPauseMs = 200;

const changeScore = (
  db: Database,
  of: Scored,
  {
    id,
    after,
    alongside,
    check,
  }: {
    id: string;
    after: StoredScore | undefined;
    alongside?: Alongside | undefined;
    check?: CheckBefore | undefined;
  },
): Promise<void> =>
  retryOnConflict(
    {
      attempts,
      maxPauseMs,
      error: () => conflict("The score was changed by other requests. Send it again."),
    },
    async () => {
      const { tenantId, agentId, executionId } = of;
      const execution = await getExecution(db, tenantId, agentId, executionId);
      if (!execution) throw notFound("execution record", executionId);
      const { scores } = execution;
      const before = scores && Object.hasOwn(scores, id) ? scores[id] : undefined;
      if (!after && !before) throw notFound("score", id);
      if (before && alongside?.isNew) return writeAlone(db, alongside);
      if (before) check?.(before);
      if (!hasRoomForScore(scores ?? {}, { id, before, after })) throw isFull();
      const outcome = await tryWrite(db, execution, { id, before, after }, alongside);
      if (outcome !== "no-counter" || !after) return outcome === "written" ? undefined : "changed";
      const counted = { ...after, isOther: true } as const;
      const other = await tryWrite(db, execution, { id, before, after: counted }, alongside);
      return other === "written" ? undefined : "changed";
    },
  );

/** Writes what belongs to a score that another request wrote first. */
const writeAlone = async (db: Database, { writes, error }: Alongside): Promise<undefined> => {
  if (writes.length > 0 && !(await transact(db, writes)).written) throw error();
};

/** Writes a change with its counter. Returns "no-counter" when the counters of its day have too many names. */
const tryWrite = async (
  db: Database,
  { item, scores }: StoredExecution,
  change: ScoreWrite,
  alongside: Alongside | undefined,
): Promise<"written" | "changed" | "no-counter"> => {
  const { before, after } = change;
  const key = toExecutionKey(item);
  const counter = countScores(key.tenantId, item, [
    ...(before ? [toScoreChange(before, -1)] : []),
    ...(after ? [toScoreChange(after, 1)] : []),
  ]);
  const belonging = alongside?.writes ?? [];
  const more = [...belonging, ...(counter ? [counter] : [])];
  const outcome = await writeScore(db, { key, scores }, change, more);
  if (typeof outcome === "string") return outcome;
  if (alongside && outcome.failed.slice(0, belonging.length).includes(true)) {
    throw alongside.error();
  }
  return "no-counter";
};

const toScoreChange = (score: StoredScore, by: 1 | -1): ScoreChange =>
  toChange(score.isOther ? otherScores : score.name, parseScoreValue(score), by);

const isFull = (): Error =>
  conflict(
    `An execution has at most ${scoreLimits.count} scores of ${scoreLimits.bytes} bytes together. Delete one first.`,
  );
