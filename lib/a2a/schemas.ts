import * as z from "zod";
import { versionParameter } from "../edge/a2a-error.ts";
import { SessionId } from "../executions/schemas.ts";
import { optionalInteger } from "../platform/http/paging.ts";
import { anyNames } from "../values/json/limited-record.ts";

/** Version of A2A that these endpoints have. */
export const a2aVersion = "1.0";

/** States of a task. */
export const taskStates = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_AUTH_REQUIRED",
] as const;

const TaskState = z.enum(taskStates);
export type TaskState = z.output<typeof TaskState>;

/** Clients made of protocol buffers send an empty text for none. */
const emptyAsNone = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal("").transform(() => undefined), schema]).nullish();

const metadata = anyNames(z.unknown());

/** A part of a message or an artifact: a text, a JSON value, or a file. */
const A2aPart = z
  .object({
    text: z.string().optional(),
    data: z.unknown().optional(),
    raw: z.string().optional().meta({ description: "Bytes in base64." }),
    url: z.string().optional(),
    mediaType: z.string().optional(),
    filename: z.string().optional(),
    metadata: metadata.optional(),
  })
  .meta({ id: "A2aPart", example: { text: "Hello" } });
export type A2aPart = z.output<typeof A2aPart>;

/** Longest id of a message: it is stored with the execution. */
const maxMessageIdLength = 256;
const maxParts = 100;

/** A message of a client. */
export const SentMessage = z
  .object({
    messageId: z.string().min(1).max(maxMessageIdLength),
    contextId: emptyAsNone(SessionId).meta({
      description: "The session of an agent with `useSession`; of others, a group of tasks.",
    }),
    taskId: emptyAsNone(z.string().max(200)).meta({
      description:
        "A task in the state TASK_STATE_INPUT_REQUIRED: the message decides its approval.",
    }),
    role: z.literal("ROLE_USER"),
    parts: z.array(A2aPart).min(1).max(maxParts),
    metadata: metadata.nullish(),
    extensions: z.array(z.string().max(2_048)).max(100).nullish(),
    referenceTaskIds: z.array(z.string().max(200)).max(100).nullish(),
  })
  .meta({ id: "A2aSentMessage" });
export type SentMessage = z.output<typeof SentMessage>;

const historyLength = z.int().min(0).max(2_147_483_647);

/** Request that sends a message. */
export const SendMessageRequest = z
  .object({
    message: SentMessage,
    configuration: z
      .object({
        acceptedOutputModes: z.array(z.string().max(256)).max(100).nullish(),
        historyLength: historyLength.nullish(),
        returnImmediately: z.boolean().nullish().meta({
          description: "Whether to respond before the task has ended. Has no effect on streams.",
        }),
        taskPushNotificationConfig: z.unknown().optional().meta({ description: "Not supported." }),
      })
      .nullish(),
    metadata: metadata.nullish().meta({
      description: "Texts of at most 1,024 characters are stored with the execution.",
    }),
  })
  .meta({
    id: "A2aSendMessageRequest",
    example: {
      message: {
        messageId: "0193f0a0-7c4b-7000-8000-000000000001",
        role: "ROLE_USER",
        parts: [{ text: "Ada" }],
      },
    },
  });
export type SendMessageRequest = z.output<typeof SendMessageRequest>;

const Message = z
  .object({
    messageId: z.string(),
    contextId: z.string(),
    taskId: z.string(),
    role: z.enum(["ROLE_USER", "ROLE_AGENT"]),
    parts: z.array(A2aPart),
  })
  .meta({ id: "A2aMessage" });
export type Message = z.output<typeof Message>;

const Artifact = z
  .object({ artifactId: z.string(), parts: z.array(A2aPart) })
  .meta({ id: "A2aArtifact" });
export type Artifact = z.output<typeof Artifact>;

const TaskStatus = z
  .object({
    state: TaskState,
    message: Message.optional().meta({
      description: "What the task waits for, or why it failed.",
    }),
    timestamp: z.string().meta({ description: "ISO 8601: when it ended, or else began." }),
  })
  .meta({ id: "A2aTaskStatus" });
export type TaskStatus = z.output<typeof TaskStatus>;

/** An execution as a task. */
export const A2aTask = z
  .object({
    id: z.string().meta({ description: "The id of the execution." }),
    contextId: z.string(),
    status: TaskStatus,
    artifacts: z
      .array(Artifact)
      .optional()
      .meta({ description: "One with the output of the execution." }),
    history: z.array(Message).optional().meta({ description: "The message that started it." }),
    metadata,
  })
  .meta({ id: "A2aTask" });
export type A2aTask = z.output<typeof A2aTask>;

/** Response to a message. */
export const SendMessageResponse = z
  .object({ task: A2aTask })
  .meta({ id: "A2aSendMessageResponse" });
export type SendMessageResponse = z.output<typeof SendMessageResponse>;

/** Event of a stream. */
export type StreamResponse =
  | SendMessageResponse
  | { statusUpdate: { taskId: string; contextId: string; status: TaskStatus } }
  | {
      artifactUpdate: {
        taskId: string;
        contextId: string;
        artifact: Artifact;
        append: boolean;
        lastChunk: boolean;
      };
    };

/** The id of a task in a path. Another text than a uuid is a task that does not exist. */
export const TaskId = z.string().min(1).max(200).meta({
  description: "The id of a task.",
  example: "0193f0a0-7c4b-7000-8000-000000000000",
});

/** Query parameter of every operation. */
export const versionQuery = {
  [versionParameter]: z
    .string()
    .regex(/^1\.0(\.\d{1,9})?$/, `must be ${a2aVersion}, the version of A2A`)
    .optional()
    .meta({ description: "Version of A2A, instead of the header.", example: a2aVersion }),
} as const;

/** Query parameter with the number of messages of a task's history. */
export const historyQuery = {
  historyLength: optionalInteger(0, 2_147_483_647, "Most messages of the history; 0 for none."),
} as const;
