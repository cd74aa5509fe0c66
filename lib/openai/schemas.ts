import * as z from "zod";
import { EndUserId, SessionId } from "../executions/schemas.ts";
import { refuseUnknown } from "../platform/http/unknown-members.ts";
import { limitedRecord } from "../values/json/limited-record.ts";

const byRevision = "is not supported: the revision of the agent determines it";
const notHere = "is not supported";

/** A parameter that may have only values that ask for nothing. */
const only = (values: readonly (string | number | boolean)[], error = byRevision) =>
  z.literal([...values], { error }).nullish();

/** A parameter that is not supported, or may be null. */
const none = (error = byRevision) => z.null({ error }).optional();

const noItems = (error: string) => z.array(z.unknown()).max(0, { error }).nullish();

const clientTools = "is not supported: the agent has its own tools";

/** Messages of a request; the body is limited to 4 MiB, too. */
const maxMessages = 2_000;

const model = z.string().min(1).meta({
  description: "The agent: its id, or its id and a revision as `AGENT@REVISION`.",
  example: "hello",
});

/** The name of a model in a path. */
export const OpenAiModelName = model;

const metadata = limitedRecord(z.string().max(128), z.string().max(1_024), 50)
  .nullish()
  .meta({ description: "Strings that the caller chooses, stored with the execution." });

const stream = z.boolean().nullish().meta({ description: "Whether the response is streamed." });

const endUser = EndUserId.nullish().meta({
  description: "The person whom a session belongs to. Agents without sessions do not use it.",
});

/** Some clients always send hints for a model's cache, such as agents for coding. */
const cacheHint = z
  .string()
  .max(512)
  .nullish()
  .meta({ description: "Has no effect: the agent's revision determines what models cache." });

/** Parameters of models that both endpoints have, and that the agent's revision determines. */
const ofModel = {
  temperature: only([1]),
  top_p: only([1]),
  presence_penalty: only([0]),
  frequency_penalty: only([0]),
  top_logprobs: only([0]),
  service_tier: only(["auto", "default"]),
  tools: noItems(clientTools),
  tool_choice: only(["auto", "none"], clientTools),
  parallel_tool_calls: z.boolean().nullish(),
  prompt_cache_key: cacheHint,
  prompt_cache_retention: cacheHint,
  verbosity: none(),
};

const outputLimit = z.int().min(1).nullish().meta({
  description:
    "Most tokens that a call of a model by the agent's Prompts may generate. A lower limit of the agent stays.",
});

const format = z.looseObject({ type: z.string() }).nullish();

const streamOptions = {
  include_obfuscation: only([false], notHere),
};

/** Request body that creates a response. */
export const CreateResponseBody = refuseUnknown(
  z
    .object({
      model,
      input: z.union([z.string(), z.array(z.looseObject({})).max(maxMessages)]).meta({
        description:
          "A text, or messages. The last one is the user's: its text is the agent's input, and its images and files are the agent's inputs of the type File.",
        example: "Hello!",
      }),
      instructions: z.string().nullish().meta({
        description: "Follow the system text of the agent's Prompts, which prevails.",
      }),
      previous_response_id: z.string().nullish().meta({
        description: "Continues the session of that response; for agents with `useSession`.",
      }),
      conversation: z
        .union([SessionId, z.object({ id: SessionId })])
        .nullish()
        .meta({
          description: "The session that it continues, or begins; for agents with `useSession`.",
        }),
      background: z.boolean().nullish().meta({
        description: "Whether to respond immediately; `GET` the response until it has ended.",
      }),
      stream,
      stream_options: z.object(streamOptions).nullish(),
      metadata,
      text: z.object({ format, verbosity: none() }).nullish().meta({
        description: "`format`: `text`, or the agent's own JSON Schema as `json_schema`.",
      }),
      user: endUser,
      safety_identifier: endUser,
      store: only([true], "is not supported: executions are stored"),
      include: noItems(notHere),
      max_output_tokens: outputLimit,
      max_tool_calls: none(),
      reasoning: none(),
      truncation: only(["disabled"]),
      prompt: none(notHere),
      ...ofModel,
    })
    .meta({ id: "CreateResponseBody", example: { model: "hello@1", input: "Ada" } }),
);
export type CreateResponseBody = z.output<typeof CreateResponseBody>;

/** Request body that creates a chat completion. */
export const CreateChatCompletionBody = refuseUnknown(
  z
    .object({
      model,
      messages: z
        .array(z.looseObject({}))
        .min(1)
        .max(maxMessages)
        .meta({
          description:
            "The last message is the user's: its text is the agent's input, and its images and files are the agent's inputs of the type File.",
          example: [{ role: "user", content: "Hello!" }],
        }),
      stream,
      stream_options: z
        .object({ include_usage: z.boolean().nullish(), ...streamOptions })
        .nullish()
        .meta({ description: "`include_usage`: whether a last chunk has the usage." }),
      metadata,
      response_format: format.meta({
        description: "`text`, or the agent's own JSON Schema as `json_schema`.",
      }),
      user: endUser,
      safety_identifier: endUser,
      store: z.boolean().nullish().meta({ description: "Has no effect: executions are stored." }),
      n: only([1], "is not supported: an execution has one output"),
      stop: none(),
      seed: none(),
      logprobs: only([false]),
      logit_bias: none(),
      max_tokens: outputLimit,
      max_completion_tokens: outputLimit,
      reasoning_effort: none(),
      modalities: z
        .array(z.literal("text", { error: notHere }))
        .max(1)
        .nullish(),
      audio: none(notHere),
      prediction: none(notHere),
      web_search_options: none(clientTools),
      functions: noItems(clientTools),
      function_call: only(["auto", "none"], clientTools),
      ...ofModel,
    })
    .meta({
      id: "CreateChatCompletionBody",
      example: { model: "hello@1", messages: [{ role: "user", content: "Ada" }] },
    }),
);
export type CreateChatCompletionBody = z.output<typeof CreateChatCompletionBody>;

/** The id of a response in a path. */
export const ResponseId = z.string().min(1).max(200).meta({
  description: "The id of a response.",
  example: "resp_0193f0a07c4b70008000000000000000_hello",
});

const seconds = z.int().meta({ description: "Unix seconds." });

const OutputText = z
  .object({
    type: z.literal("output_text"),
    text: z.string(),
    annotations: z.array(z.unknown()),
    logprobs: z.array(z.unknown()),
  })
  .meta({ id: "ResponseOutputText" });

/** A message of the agent. */
export const MessageItem = z
  .object({
    type: z.literal("message"),
    id: z.string(),
    status: z.enum(["in_progress", "completed", "incomplete"]),
    role: z.literal("assistant"),
    content: z.array(OutputText),
  })
  .meta({ id: "ResponseMessage" });
export type MessageItem = z.output<typeof MessageItem>;

/** An approval that the agent waits for. */
export const ApprovalRequestItem = z
  .object({
    type: z.literal("wharf:approval_request"),
    id: z.string().meta({ description: "The id of the approval, see `/approvals/{approval}`." }),
    status: z.literal("in_progress"),
    title: z.string(),
    approvers: z.string(),
    actions: z.array(z.string()),
    url: z.string(),
    expires_at: seconds,
  })
  .meta({ id: "ResponseApprovalRequest" });
export type ApprovalRequestItem = z.output<typeof ApprovalRequestItem>;

const Usage = z
  .object({
    input_tokens: z.int(),
    input_tokens_details: z.object({ cached_tokens: z.int() }),
    output_tokens: z.int(),
    output_tokens_details: z.object({ reasoning_tokens: z.int() }),
    total_tokens: z.int(),
  })
  .meta({ id: "ResponseUsage" });

/** An execution as a response. */
export const OpenAiResponse = z
  .object({
    id: z.string(),
    object: z.literal("response"),
    created_at: seconds,
    completed_at: seconds.nullable(),
    status: z
      .enum(["queued", "in_progress", "completed", "failed", "cancelled", "incomplete"])
      .meta({
        description:
          "`in_progress` also while it waits for people, a time or an event. `incomplete`: the last event of a stream that ended before the execution did, and an output that was cut off at `max_output_tokens`.",
      }),
    incomplete_details: z
      .object({ reason: z.enum(["waiting", "background", "max_output_tokens"]) })
      .nullable()
      .meta({
        description:
          "Why the stream ended: the execution waits, or continues; or that the output was cut off at `max_output_tokens`.",
      }),
    error: z.object({ code: z.string(), message: z.string() }).nullable().meta({
      description: "Why it failed; `code` is the slug of the problem, as in `/problems/{slug}`.",
    }),
    model: z.string().meta({ description: "The revision that ran, as `AGENT@REVISION`." }),
    output: z.array(z.union([MessageItem, ApprovalRequestItem])),
    usage: Usage.nullable(),
    conversation: z
      .object({ id: z.string() })
      .nullable()
      .meta({ description: "The session that it is part of." }),
    previous_response_id: z.string().nullable(),
    instructions: z.string().nullable(),
    background: z.boolean(),
    metadata: z.record(z.string(), z.string()),
    text: z.object({ format: z.looseObject({ type: z.string() }) }),
    user: z.string().nullable(),
    safety_identifier: z.string().nullable(),
    prompt_cache_key: z.null(),
    reasoning: z.null(),
    max_output_tokens: z.int().nullable(),
    max_tool_calls: z.null(),
    tools: z.array(z.unknown()),
    tool_choice: z.string(),
    parallel_tool_calls: z.boolean(),
    store: z.boolean(),
    truncation: z.string(),
    service_tier: z.string(),
    temperature: z.number(),
    top_p: z.number(),
    presence_penalty: z.number(),
    frequency_penalty: z.number(),
    top_logprobs: z.int(),
  })
  .meta({ id: "OpenAiResponse" });
export type OpenAiResponse = z.output<typeof OpenAiResponse>;

const CompletionUsage = z
  .object({
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    total_tokens: z.int(),
    prompt_tokens_details: z.object({ cached_tokens: z.int() }),
    completion_tokens_details: z.object({ reasoning_tokens: z.int() }),
  })
  .meta({ id: "CompletionUsage" });
export type CompletionUsage = z.output<typeof CompletionUsage>;

/** An execution as a chat completion. */
export const ChatCompletion = z
  .object({
    id: z.string(),
    object: z.literal("chat.completion"),
    created: seconds,
    model: z.string().meta({ description: "The revision that ran, as `AGENT@REVISION`." }),
    choices: z.array(
      z.object({
        index: z.int(),
        message: z.object({
          role: z.literal("assistant"),
          content: z.string(),
          refusal: z.null(),
        }),
        logprobs: z.null(),
        finish_reason: z.enum(["stop", "length"]),
      }),
    ),
    usage: CompletionUsage,
  })
  .meta({ id: "ChatCompletion" });
export type ChatCompletion = z.output<typeof ChatCompletion>;

/** An agent that a caller may name as `model`. */
export const Model = z
  .object({
    id: z.string().meta({ description: "The agent, as `AGENT` or `AGENT@REVISION`." }),
    object: z.literal("model"),
    created: seconds,
    owned_by: z.string().meta({ description: "The id of the tenant." }),
    name: z.string().meta({ description: "The display name of the agent." }),
  })
  .meta({ id: "Model" });
export type Model = z.output<typeof Model>;

/** The agents that a caller may name as `model`. */
export const ModelList = z
  .object({ object: z.literal("list"), data: z.array(Model) })
  .meta({ id: "ModelList" });
export type ModelList = z.output<typeof ModelList>;
