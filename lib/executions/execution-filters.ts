import * as z from "zod";
import { optionalInteger } from "../platform/http/paging.ts";
import { anyNames } from "../values/json/limited-record.ts";
import { ExecutionStatus, TraceId, triggerTypes } from "./schemas.ts";
import { maxScore } from "./scores.ts";

/** A query parameter with a number. */
const optionalNumber = (min: number, max: number, description: string) =>
  numberText(min, max)
    .optional()
    .meta({ description, override: { type: "number", minimum: min, maximum: max } });

const numberText = (min: number, max: number) =>
  z
    .string()
    .max(40)
    .regex(/^-?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?$/, "must be a number")
    .transform(Number)
    .pipe(z.number().min(min).max(max));

const scoreLimit = numberText(-maxScore, maxScore);

/** Query parameters that start with a prefix, by the rest of their names. */
const namedFilter = <Value extends z.ZodType>(value: Value, description: string) =>
  anyNames(value)
    .optional()
    .meta({
      description,
      override: ({ jsonSchema }) => {
        for (const name of ["propertyNames", "additionalProperties"]) delete jsonSchema[name];
        jsonSchema.type = "string";
      },
    });

/** Query parameters that filter a list of executions. */
export const executionFilters = {
  status: ExecutionStatus.optional().meta({
    description: "Returns only executions with this status.",
  }),
  revision: optionalInteger(
    0,
    2_147_483_647,
    "Returns only executions of this revision; 0 for those of drafts.",
  ),
  triggerType: optionalInteger(
    triggerTypes.api,
    triggerTypes.test,
    "Returns only executions with this `trigger.type`.",
  ),
  traceId: TraceId.optional().meta({
    description: "Returns only executions of this trace.",
    example: "4bf92f3577b34da6a3ce929d0e0e4736",
  }),
  error: z.string().min(1).max(200).optional().meta({
    description:
      "Returns only executions with this text, in any case, in their `errorType` or `errorDetail`.",
    example: "rate limit",
  }),
  minCost: optionalNumber(0, 1e12, "Returns only executions with at least this `totalCost`."),
  maxCost: optionalNumber(0, 1e12, "Returns only executions with at most this `totalCost`."),
  "metadata.{name}": namedFilter(
    z.string(),
    "Returns only executions with this value of the member `name` of `metadata`, such as `metadata.ticket=7`.",
  ),
  "score.{name}": namedFilter(
    z.string(),
    "Returns only executions with a score of this `name` and value, such as `score.helpful=false`.",
  ),
  "minScore.{name}": namedFilter(
    scoreLimit,
    "Returns only executions with a score of this `name` of at least this number; a boolean counts as 0 or 1.",
  ),
  "maxScore.{name}": namedFilter(
    scoreLimit,
    "Returns only executions with a score of this `name` of at most this number; a boolean counts as 0 or 1.",
  ),
} as const;
