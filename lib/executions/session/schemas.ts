import * as z from "zod";
import { FlowFile } from "../../engine/flow-file.ts";
import { ChosenId, Timestamp, Uuid } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { EndUserId, SessionId } from "../schemas.ts";

/** A session in API responses. */
export const AgentSession = z
  .object({
    id: SessionId,
    agentId: ChosenId,
    endUserId: EndUserId.nullable(),
    status: z.enum(["Idle", "Busy"]).meta({ description: "`Busy`: an execution has it." }),
    executionId: Uuid.nullable().meta({ description: "The execution that has it; null for none." }),
    queuedCount: z.int().meta({ description: "Executions that wait for their turn." }),
    turnCount: z.int().meta({ description: "Turns so far, those that are not kept included." }),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
    expiresAt: Timestamp.nullable().meta({
      description: "When it is removed unless it is continued; null while it is busy.",
    }),
  })
  .meta({ id: "Session" });
export type AgentSession = z.output<typeof AgentSession>;

/** A page of sessions, newest first. */
export const SessionPage = pageSchema(AgentSession, "SessionPage");

/** A message of a session in API responses. */
export const SessionMessage = z
  .object({
    executionId: Uuid.nullable().meta({
      description: "The execution of its turn; null for a summary of earlier turns.",
    }),
    role: z.enum(["user", "assistant", "tool"]),
    text: z.string().nullable().meta({ description: "Null for results of tools." }),
    files: z.array(FlowFile).meta({ description: "Files that the model got with the message." }),
    toolCalls: z
      .array(z.object({ id: z.string(), name: z.string(), arguments: z.unknown() }))
      .meta({ description: "Calls that the model requested." }),
    results: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          output: z.unknown(),
          isError: z.boolean(),
        }),
      )
      .meta({ description: "Results of the calls of the message before." }),
    createdAt: Timestamp.nullable().meta({ description: "When its turn ended." }),
  })
  .meta({ id: "SessionMessage" });
export type SessionMessage = z.output<typeof SessionMessage>;

/** Order of the messages of a list. */
export const MessageOrder = z.enum(["oldest", "newest"]).default("oldest").meta({
  description: "Which messages are first.",
});
export type MessageOrder = z.output<typeof MessageOrder>;

/** A page of messages. */
export const SessionMessagePage = pageSchema(SessionMessage, "SessionMessagePage");
