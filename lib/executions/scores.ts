import * as z from "zod";
import { ChosenId, Timestamp } from "../platform/http/ids.ts";

/** Returns whether a text has no control characters. */
export const isPrintable = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text);

/** Largest number; counters add up numbers exactly. */
export const maxScore = 1e9;

/** Value of a score. */
export const ScoreValue = z
  .union([
    z.number().min(-maxScore).max(maxScore),
    z.boolean(),
    z.string().max(256).refine(isPrintable, "must have no control characters"),
  ])
  .meta({
    description: "A number, a boolean, which counts as 0 or 1, or a category.",
    example: true,
  });
export type ScoreValue = z.output<typeof ScoreValue>;

/** Where a score comes from. */
export const ScoreSource = z.enum(["Api", "FeedbackLink", "Chat", "Evaluation"]).meta({
  id: "ScoreSource",
  description:
    "`Api`: a caller with `traces:write`; `FeedbackLink`; `Chat`: a button under an answer; `Evaluation`: a scorer.",
});
export type ScoreSource = z.output<typeof ScoreSource>;

/** A score of an execution. */
export const Score = z
  .object({
    id: ChosenId,
    name: z.string(),
    value: ScoreValue,
    spanId: z.string().nullable(),
    comment: z.string().nullable(),
    source: ScoreSource,
    createdAt: Timestamp,
    createdBy: z.string().nullable().meta({
      description: "Id of the user, API key, chat user or scorer; null for a feedback link.",
    }),
  })
  .meta({ id: "Score" });
export type Score = z.output<typeof Score>;

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
export const measureScore = (id: string, score: StoredScore): number =>
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
