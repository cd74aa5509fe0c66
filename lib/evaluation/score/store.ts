import { type ExecutionKey, executionKey } from "../../executions/record/keys.ts";
import {
  measureScore,
  type StoredScore,
  type StoredScores,
  scoreLimits,
} from "../../executions/scores.ts";
import type { Database } from "../../platform/db/database.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";

/** A change of one score of an execution: `before` as it was read, and what replaces it; undefined for none. */
export type ScoreWrite = {
  id: string;
  before: StoredScore | undefined;
  after: StoredScore | undefined;
};

/** The record of an execution as it was read. */
type Read = { key: ExecutionKey; scores: StoredScores | undefined };

/**
 * TENANT#t#AGENT#a#EXEC#n / EXEC#id: changes a score of an execution, whether or not it has ended,
 * together with `more`. Touches no other member, so that its end, a cancel or a renewed lease
 * cannot be lost. Returns "changed" when the score is no longer `before`, there is no room for it,
 * or the execution was deleted; otherwise which of `more` failed.
 */
export const writeScore = async (
  db: Database,
  { key, scores }: Read,
  change: ScoreWrite,
  more: readonly TransactionWrite[],
): Promise<"written" | "changed" | { failed: readonly boolean[] }> => {
  const update = { Key: executionKey(key), ...buildScoreUpdate(scores, change) };
  const outcome = await transact(db, [{ Update: update }, ...more]);
  if (outcome.written) return "written";
  const [isChanged, ...failed] = outcome.failed;
  return isChanged ? "changed" : { failed };
};

const buildScoreUpdate = (scores: StoredScores | undefined, { id, before, after }: ScoreWrite) => {
  const bytes = (after ? measureScore(id, after) : 0) - (before ? measureScore(id, before) : 0);
  if (scores === undefined) {
    return {
      UpdateExpression: "SET scores = :scores, scoreBytes = :bytes",
      ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(scores)",
      ExpressionAttributeValues: { ":scores": after ? { [id]: after } : {}, ":bytes": bytes },
    };
  }
  const isSame = before ? "scores.#id = :before" : "attribute_not_exists(scores.#id)";
  const hasRoom = [
    ...(after && !before ? ["size(scores) < :most"] : []),
    ...(bytes > 0 ? ["scoreBytes <= :room"] : []),
  ];
  return {
    UpdateExpression: `${after ? "SET scores.#id = :after" : "REMOVE scores.#id"} ADD scoreBytes :bytes`,
    ConditionExpression: ["attribute_exists(scores)", isSame, ...hasRoom].join(" AND "),
    ExpressionAttributeNames: { "#id": id },
    ExpressionAttributeValues: {
      ":bytes": bytes,
      ...(after && { ":after": after }),
      ...(before && { ":before": before }),
      ...(after && !before && { ":most": scoreLimits.count }),
      ...(bytes > 0 && { ":room": scoreLimits.bytes - bytes }),
    },
  };
};

/** Returns whether a record has room for a score, by what was read of it. */
export const hasRoomForScore = (
  scores: StoredScores,
  { id, before, after }: ScoreWrite,
): boolean => {
  const others = Object.entries(scores).filter(([other]) => other !== id);
  if (!after || (!before && others.length >= scoreLimits.count)) return after === undefined;
  const bytes = others.reduce((sum, [other, score]) => sum + measureScore(other, score), 0);
  return bytes + measureScore(id, after) <= scoreLimits.bytes;
};
