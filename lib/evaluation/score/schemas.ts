import * as z from "zod";
import { isPrintable, Score, ScoreValue } from "../../executions/scores.ts";
import { ChosenId, Timestamp, Uuid } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";

/** Name of a score, by which usage is grouped. */
export const ScoreName = z
  .string()
  .min(1)
  .max(128)
  .refine(isPrintable, "must have no control characters")
  .meta({ description: "The quality that is scored.", example: "helpful" });

const spanId = z.string().min(1).max(128).meta({
  description: "The span of the execution's trace that is scored; the whole execution by default.",
});
const comment = z
  .string()
  .max(2_000)
  .refine((text) => text.isWellFormed(), "contains an unpaired surrogate");

/** A page of scores, oldest first. */
export const ScorePage = pageSchema(Score, "ScorePage");

/** Request body that scores an execution. */
export const CreateScoreBody = z
  .object({
    id: ChosenId.refine(
      (id) => !/^(?:evaluation|thumbs)-/.test(id),
      'must not begin with "evaluation-" or "thumbs-", which are reserved',
    )
      .nullish()
      .meta({
        description:
          "Your score with this id is replaced; `evaluation-` and `thumbs-` are reserved beginnings.",
      }),
    name: ScoreName,
    value: ScoreValue,
    spanId: spanId.nullish(),
    comment: comment.nullish(),
  })
  .meta({ id: "CreateScoreBody", example: { id: "review", name: "helpful", value: true } });
export type CreateScoreBody = z.output<typeof CreateScoreBody>;

const maxExpirySeconds = 90 * 24 * 3_600;

/** Request body that creates a feedback link. */
export const CreateFeedbackLinkBody = z
  .object({
    names: z
      .array(ScoreName)
      .min(1)
      .max(10)
      .refine((names) => new Set(names).size === names.length, "must not have duplicate names")
      .meta({ description: "Names of the scores that the link accepts." }),
    expiresInSeconds: z.int().min(60).max(maxExpirySeconds).meta({
      description: "Seconds until the link expires, at most 90 days.",
    }),
  })
  .meta({
    id: "CreateFeedbackLinkBody",
    example: { names: ["helpful"], expiresInSeconds: 604_800 },
  });
export type CreateFeedbackLinkBody = z.output<typeof CreateFeedbackLinkBody>;

/** A feedback link. */
export const FeedbackLink = z
  .object({
    url: z.string().nullable().meta({
      description: "Accepts one score by POST, without credentials. Shown only in this response.",
      example: "https://api.example.com/v1/tenants/demo/feedback/eyJhIjoiaGVsbG8ifQ.c2lnbmF0dXJl",
    }),
    names: z.array(z.string()),
    expiresAt: Timestamp,
  })
  .meta({ id: "FeedbackLink" });
export type FeedbackLink = z.output<typeof FeedbackLink>;

/** Request body that scores an execution by a feedback link. */
export const FeedbackBody = z
  .object({
    name: ScoreName.nullish().meta({
      description: "One of the link's names; not needed when it has only one.",
    }),
    value: ScoreValue,
    comment: comment.nullish(),
  })
  .meta({ id: "FeedbackBody", example: { name: "helpful", value: true, comment: "Thank you!" } });
export type FeedbackBody = z.output<typeof FeedbackBody>;

/** The signed end of a feedback link's path. */
export const FeedbackToken = z.string().max(2_048).meta({
  description: "The signature of the link. Secret.",
  example: "eyJhIjoiaGVsbG8ifQ.c2lnbmF0dXJl",
});

/** Id of an execution in a path. */
export const executionParams = { agent: ChosenId, executionRecord: Uuid } as const;
