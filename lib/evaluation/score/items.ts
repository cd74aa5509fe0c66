import * as z from "zod";
import type { Score, ScoreValue } from "./schemas.ts";

/** A score as the record of its execution stores it, without the members that have their usual values. */
export const StoredScore = z.object({
  name: z.string(),
  /** As JSON: a table's numbers have a smaller range. */
  value: z.string(),
  spanId: z.string().optional(),
  comment: z.string().optional(),
  source: z.enum(["FeedbackLink", "Chat", "Evaluation"]).optional(),
  createdAt: z.int(),
  createdBy: z.string().optional(),
  /** Whether it is counted as `otherScores`, since its day's counter had too many names. */
  isOther: z.literal(true).optional(),
});
export type StoredScore = z.output<typeof StoredScore>;

/** The scores of an execution, by id. */
export const StoredScores = z.record(z.string(), StoredScore);
export type StoredScores = z.output<typeof StoredScores>;

/** Most scores of an execution, and most bytes of them, which lists of executions read. */
export const scoreLimits = { count: 100, bytes: 24_576 } as const;

/** Returns the bytes of a score in its record. */
export const bytesOfScore = (id: string, score: StoredScore): number =>
  Buffer.byteLength(JSON.stringify([id, score]));

/** Returns a score as it is stored. */
export const toStoredScore = ({
  name,
  value,
  spanId,
  comment,
  source,
  createdAt,
  createdBy,
}: Omit<Score, "id">): StoredScore => ({
  name,
  value: JSON.stringify(value),
  ...(spanId !== null && { spanId }),
  ...(comment !== null && { comment }),
  ...(source !== "Api" && { source }),
  createdAt,
  ...(createdBy !== null && { createdBy }),
});

const Value = z.union([z.number(), z.boolean(), z.string()]);

/** Returns the value of a stored score. */
export const parseScoreValue = ({ value }: Pick<StoredScore, "value">): ScoreValue =>
  Value.parse(JSON.parse(value));

/** Returns the scores of a record, oldest first. */
export const toScores = (scores: StoredScores = {}): Score[] =>
  Object.entries(scores)
    .map(([id, score]) => ({
      id,
      name: score.name,
      value: parseScoreValue(score),
      spanId: score.spanId ?? null,
      comment: score.comment ?? null,
      source: score.source ?? ("Api" as const),
      createdAt: score.createdAt,
      createdBy: score.createdBy ?? null,
    }))
    .toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
