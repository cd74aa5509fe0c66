import * as z from "zod";
import { waitKinds } from "../engine/flow/waits.ts";
import { ChosenId, Timestamp, Uuid } from "../platform/http/ids.ts";
import { optionalInteger, pageSchema } from "../platform/http/paging.ts";
import { refuseUnknown } from "../platform/http/unknown-members.ts";
import type { Json } from "../values/json/json.ts";
import { anyNames, limitedRecord } from "../values/json/limited-record.ts";
import { isPrintable, maxScore, Score } from "./scores.ts";

/** Status of an execution. The last four are final. */
export const ExecutionStatus = z
  .enum(["Queued", "Waiting", "Running", "Succeeded", "Failed", "Cancelled", "TimedOut"])
  .meta({
    id: "ExecutionStatus",
    description:
      "`Waiting`: nothing of its flow can run until a wait ends; it then goes on as `Queued`. The last four are final.",
  });
export type ExecutionStatus = z.output<typeof ExecutionStatus>;

/** Final statuses. */
export const finalStatuses: ReadonlySet<ExecutionStatus> = new Set([
  "Succeeded",
  "Failed",
  "Cancelled",
  "TimedOut",
]);

/** Statuses of an execution that has not ended. */
export const openStatuses = ExecutionStatus.options.filter((status) => !finalStatuses.has(status));

/** Id of a session. */
export const SessionId = z
  .string()
  .min(1)
  .max(128)
  .refine(isPrintable, "must have no control characters")
  .meta({ description: "1 to 128 characters.", example: "ticket-4711" });

/** Id of a person whom a session belongs to. */
export const EndUserId = z
  .string()
  .min(1)
  .max(256)
  .refine(isPrintable, "must have no control characters")
  .meta({ description: "The person whom the session belongs to.", example: "ada" });

/** The session that an execution continues, in a request. */
export const SessionBody = refuseUnknown(
  z
    .object({
      id: SessionId.optional().meta({ description: "A new id by default." }),
      endUserId: EndUserId.optional(),
      whenBusy: z.enum(["wait", "reject"]).optional().meta({
        description:
          "Whether the execution waits for those of the session before it (`wait`, the default), or gets 409.",
      }),
    })
    .meta({ id: "ExecutionSessionBody", example: { id: "ticket-4711", endUserId: "ada" } }),
);
export type SessionBody = z.output<typeof SessionBody>;

/** The session of executions that a trigger starts: its id, or its id and its end user. */
export const TriggerSession = z.union([
  SessionId,
  refuseUnknown(z.object({ id: SessionId, endUserId: EndUserId.nullish() })),
]);
export type TriggerSession = z.output<typeof TriggerSession>;

/** Request body that runs an agent. */
export const ExecuteAgentBody = z
  .object({
    input: anyNames(z.unknown())
      .optional()
      .meta({ description: "Named inputs, validated against the revision's parametersMetadata." }),
    revision: z.int().min(1).optional().meta({ description: "The deployed revision by default." }),
    metadata: limitedRecord(z.string().max(128), z.string().max(1_024), 50)
      .optional()
      .meta({ description: "Strings that the caller chooses, stored with the record." }),
    session: SessionBody.optional().meta({
      description: "Continues a session, or begins one; for revisions with useSession.",
    }),
  })
  .meta({ id: "ExecuteAgentBody", example: { input: { name: "Ada" } } });
export type ExecuteAgentBody = z.output<typeof ExecuteAgentBody>;

/**
 * Context that a caller sends with the inputs of an execution: instructions, a limit of the tokens that a model may generate in a
 * call, and the messages before its prompt.
 */
export const CallerContext = z.object({
  instructions: z.string().optional(),
  /** Texts of messages with the role "system", which follow the instructions. */
  systemText: z.string().optional(),
  maxOutputTokens: z.int().optional(),
  messages: z.array(z.object({ role: z.enum(["user", "assistant"]), text: z.string() })),
});
export type CallerContext = z.output<typeof CallerContext>;

/** The signed end of a callback's address. */
export const CallbackToken = z.string().max(2_048).meta({
  description: "The signature of the address. Secret.",
  example: "WyJoZWxsbyJd.c2lnbmF0dXJl",
});

/** Request body of a callback. */
export const CallbackBody = z
  .custom<Json>((value) => value !== undefined)
  .meta({
    id: "CallbackBody",
    override: {},
    description: "The output of the step that waits: any JSON of up to 256 KB.",
    example: { status: "done" },
  });

/** Request body that tests a revision. */
export const TestRevisionBody = ExecuteAgentBody.omit({ revision: true }).meta({
  id: "TestRevisionBody",
  example: { input: { name: "Ada" } },
});

const usage = z.object({
  inputTokens: z.int(),
  outputTokens: z.int(),
  cachedTokens: z.int(),
  thinkingTokens: z.int(),
});

const cost = z.object({
  inputCost: z.number(),
  outputCost: z.number(),
  cachedCost: z.number(),
  thinkingCost: z.number(),
  totalCost: z.number(),
});

const priced = z.boolean().meta({
  description:
    "False when it called a model that is not in the price list. Such calls cost 0 here.",
});

const passage = {
  assetId: z.string(),
  documentId: z.string(),
  documentName: z.string(),
  link: z.string().nullable(),
  text: z.string().meta({ description: "The passage, at most 4,000 characters." }),
  score: z.number().meta({ description: "From 0 to 1; 1 is the first by meaning and by words." }),
};

/** A passage that a step found. */
export const SpanCitation = z.object(passage).meta({ id: "SpanCitation" });

/** A passage that an execution found, and the step that found it. */
export const Citation = z
  .object({
    stepId: z.string().meta({ description: "A step in a ForEach has the id `ID/INDEX`." }),
    ...passage,
  })
  .meta({
    id: "Citation",
    example: {
      stepId: "find",
      assetId: "handbook",
      documentId: "3f0a5c1e9b7d4c2f",
      documentName: "returns.md",
      link: "https://example.com/returns",
      text: "You can return a desk within 30 days.",
      score: 1,
    },
  });
export type Citation = z.output<typeof Citation>;

const citations = z.array(Citation).meta({
  description:
    "Passages that its Retrieve steps, and `search_knowledge` calls of its models, found; its output may be based on only some of them. Each once, at most 50, in the order in which they were found; fewer where the response has no room for them. Those of sub-agents are in their own executions.",
});

const executionSession = z
  .object({ id: SessionId })
  .nullable()
  .meta({ description: "The session that it is part of; null without one." });

/** Response to an execution request. */
export const ExecutionResult = z
  .object({
    executionId: Uuid,
    agentId: ChosenId,
    agentRevision: z.int(),
    status: ExecutionStatus,
    output: z.unknown(),
    citations,
    usage,
    cost: cost.meta({ description: "US dollars." }),
    priced,
    session: executionSession,
    startTime: Timestamp,
    endTime: Timestamp.nullable(),
  })
  .meta({ id: "ExecutionResult" });
export type ExecutionResult = z.output<typeof ExecutionResult>;

/** Trigger types, as numbered in the contract. */
export const triggerTypes = {
  api: 0,
  schedule: 1,
  webhook: 2,
  connector: 3,
  subAgent: 4,
  test: 5,
} as const;

/** The cause of an execution. */
export const Trigger = z
  .object({
    type: z.int().min(0).max(5).meta({
      description: "0 API, 1 schedule, 2 webhook, 3 connector, 4 sub-agent, 5 test.",
    }),
    id: z.string(),
    provider: z.string().nullable(),
  })
  .meta({ id: "Trigger" });
export type Trigger = z.output<typeof Trigger>;

const startedByCaller: readonly number[] = [triggerTypes.api, triggerTypes.test];

/** Returns the id of the principal that a call of the API started an execution for; null for another cause. */
export const getStarter = (trigger: Pick<Trigger, "type" | "id"> | undefined): string | null =>
  trigger !== undefined && startedByCaller.includes(trigger.type) ? trigger.id : null;

/** Id of a trace. */
const TraceId = z
  .string()
  .regex(/^(?!0+$)[\da-f]{32}$/, "must be 32 lower-case hexadecimal digits that are not all 0");

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
  text: z.string().min(1).max(200).optional().meta({
    description:
      "Returns only executions with this text, in any case, in a text or number of their input or output. Values that are stored apart from their record are not searched.",
    example: "order 4711",
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

const recordFields = {
  id: Uuid,
  agentId: ChosenId,
  agentRevision: z.int(),
  startTime: Timestamp,
  endTime: Timestamp.nullable(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cachedTokens: z.int(),
  thinkingTokens: z.int(),
  hasResult: z.boolean(),
  hasTrace: z.boolean(),
  isSample: z.boolean(),
  trigger: Trigger,
  traceId: z.string().meta({
    description: "The trace of the `traceparent` that started it, or one of its own.",
    example: "4bf92f3577b34da6a3ce929d0e0e4736",
  }),
  session: executionSession,
  status: ExecutionStatus,
  errorType: z.string().nullable().meta({
    description: "Slug of the problem that ended it, as in `/problems/{slug}`.",
    example: "upstream-failed",
  }),
  destinations: z.array(z.unknown()),
  environmentSlug: z.enum(["production", "test"]),
  createdAt: Timestamp,
  tenantId: Uuid,
  ...cost.shape,
  priced,
  totalCostWithSubAgents: z.number().meta({
    description:
      "`totalCost` and that of all executions of sub-agents below it, in US dollars; complete when it has ended.",
  }),
  pricedWithSubAgents: z.boolean().meta({
    description:
      "False when it or an execution below it called a model that the price list does not have.",
  }),
};

/** An execution in a list. */
export const ExecutionSummary = z
  .object({
    ...recordFields,
    errorDetail: z.string().nullable().meta({
      description: "The first 200 characters of the `detail` of its error; null without one.",
      example: 'The step "ask" failed: the model returned status 503.',
    }),
  })
  .meta({ id: "ExecutionRecord" });
export type ExecutionSummary = z.output<typeof ExecutionSummary>;

/** Why an execution failed: a registered problem and the step that raised it. */
export const ExecutionError = z
  .object({
    type: z.string().meta({ example: "/problems/execution-failed" }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    step: z.string().nullable(),
    upstream: z.string().nullable(),
    upstreamStatus: z.int().nullable(),
    guardrail: z.string().optional().meta({ description: "The guardrail that blocked it." }),
    check: z.string().optional().meta({ description: "The check of the guardrail." }),
  })
  .meta({ id: "ExecutionError" });
export type ExecutionError = z.output<typeof ExecutionError>;

const cutNote =
  "is replaced by `{cut: true, bytes, beginning}` with the first 16,000 characters of its JSON";
const inDetail = z.unknown().meta({
  description: `If input and output are together too large for a response (6 MB), the larger one ${cutNote}, then the other.`,
});
const inTrace = z.unknown().meta({
  description: `A value of more than 64 KB of JSON ${cutNote}. Beyond 4 MB in all spans together, \`beginning\` is empty.`,
});

/** A wait of an execution that has not ended. */
export const WaitSummary = z
  .object({
    kind: z.enum(waitKinds),
    path: z.string().meta({
      description:
        "The step that waits, with the number of the item in a `ForEach`, or of the tool call that waits for its approval.",
      example: "confirm",
    }),
    since: Timestamp,
    until: Timestamp.meta({ description: "When it ends without an answer." }),
    approvalId: Uuid.nullable().meta({ description: "The approval that it waits for." }),
  })
  .meta({ id: "WaitSummary" });
export type WaitSummary = z.output<typeof WaitSummary>;

/** An execution with its input, output and error. */
export const ExecutionDetail = z
  .object({
    ...recordFields,
    input: inDetail,
    output: inDetail,
    citations,
    error: ExecutionError.nullable(),
    metadata: anyNames(z.string()),
    scores: z.array(Score).meta({ description: "At most 100, oldest first." }),
    waits: z.array(WaitSummary).meta({
      description:
        "What an execution with the status `Waiting` waits for, the first end first; empty for others. Those of sub-agents are in their records.",
    }),
  })
  .meta({ id: "ExecutionDetail" });

/** A page of execution records, most recent first. */
export const ExecutionRecordPage = pageSchema(ExecutionSummary, "ExecutionRecordPage");

/** One attempt at a step, one model turn, or one tool call. */
export const TraceSpan = z
  .object({
    id: z.string(),
    parentId: z.string().nullable(),
    stepId: z.string(),
    name: z.string(),
    type: z.string().meta({ description: "A step type, or Model." }),
    startTime: Timestamp,
    endTime: Timestamp,
    status: z.enum(["Succeeded", "Failed", "Cancelled", "Skipped"]),
    input: inTrace,
    output: inTrace,
    error: z
      .object({ type: z.string(), detail: z.string(), upstreamStatus: z.int().nullable() })
      .nullable(),
    handled: z.literal(true).optional().meta({
      description:
        'Present where the flow handled the failure: by an edge with `on: "error"`, or with the value of `onError`.',
    }),
    pinned: z.literal(true).optional().meta({
      description: "Present where a test of a draft gave the output: the step was not run.",
    }),
    usage: usage.nullable(),
    cost: cost.nullable(),
    priced: z.boolean().nullable().meta({
      description: "False when the price list does not have the model; its cost is then 0.",
    }),
    modelId: z.string().nullable(),
    providerId: z.string().nullable(),
    servedBy: z.object({ providerId: z.string(), modelId: z.string() }).optional().meta({
      description:
        "Model that responded to a Prompt with `fallbacks`. Each call of a model has a span of its own.",
    }),
    finishReason: z.string().optional().meta({
      description: "Why the model ended its response; absent for types other than Model.",
      example: "stop",
    }),
    responseModelId: z.string().optional().meta({
      description:
        "Model that the response of the provider names, such as a dated version of `modelId`.",
    }),
    index: z.int().nullable().default(null).meta({
      description: "Position of the item in its ForEach, from 0; null outside of one.",
    }),
    tool: z.string().nullable().default(null).meta({
      description:
        "`INTEGRATION/TOOL` of a Tool step or of a model's tool call, and `search_knowledge` for a model's search; null for other types.",
      example: "system/calculate",
    }),
    citations: z.array(SpanCitation).readonly().optional().meta({
      description:
        "Passages that a Retrieve, or the model of a Prompt, found; at most 50. Absent where nothing was searched.",
    }),
  })
  .meta({ id: "TraceSpan" });
export type TraceSpan = z.output<typeof TraceSpan>;
/** A span as it is stored, without members that have no value. */
export type StoredSpan = z.input<typeof TraceSpan>;

/** The trace of an execution. */
export const ExecutionTrace = z
  .object({ executionId: Uuid, spans: z.array(TraceSpan) })
  .meta({ id: "ExecutionTrace" });

/** Response, problems and access shared by the rows that run an agent. */
export const executing = {
  response: { status: 200, schema: ExecutionResult, accepted: true },
  problems: [
    "conflict",
    "budget-exceeded",
    "execution-failed",
    "guardrail-blocked",
    "upstream-failed",
    "upstream-timeout",
  ],
  access: {
    table: "write",
    bucket: "write",
    secrets: "seal",
    publishes: ["chats", "evaluations", "events", "executions", "schedules", "subscribers"],
    models: true,
    vectors: "read",
  },
  // Inputs may have files in base64.
  maxBodyBytes: 4 * 1_048_576,
  // Only what calls other systems, or takes long, takes a slot.
  slots: "handler",
  readsAgent: true,
  streaming: { completed: "execution.completed", failed: "execution.failed" },
} as const;
