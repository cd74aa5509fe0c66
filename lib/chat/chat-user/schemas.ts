import * as z from "zod";
import { ChosenId, Timestamp, Uuid } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";

/** Status of an access request. */
export const AccessRequestStatus = z
  .enum(["Pending", "Approved", "Rejected"])
  .meta({ id: "ChatUserAccessRequestStatus" });
export type AccessRequestStatus = z.output<typeof AccessRequestStatus>;

/** An access request in API responses. */
export const AccessRequest = z
  .object({
    id: Uuid,
    provider: z.string(),
    identifier: z.string().meta({ description: "The provider's id of the chat user." }),
    userName: z.string().nullable(),
    agentId: ChosenId,
    connectorId: Uuid,
    conversationName: z.string().nullable(),
    status: AccessRequestStatus,
    processedBy: z
      .string()
      .nullable()
      .meta({ description: "Id of the user or API key that decided." }),
    processedAt: Timestamp.nullable(),
    processingNote: z.string().nullable(),
    tenantId: Uuid,
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "ChatUserAccessRequest" });
export type AccessRequest = z.output<typeof AccessRequest>;

/** A page of access requests, newest first. */
export const AccessRequestPage = pageSchema(AccessRequest, "ChatUserAccessRequestPage");

/** Request body of a decision; may be empty. */
export const DecideAccessRequestBody = z
  .object({ note: z.string().max(2_000).nullish() })
  .default({})
  .meta({
    id: "DecideChatUserAccessRequestBody",
    example: { note: "Checked with the support team." },
  });
export type DecideAccessRequestBody = z.output<typeof DecideAccessRequestBody>;

/** Status of a chat user. */
export const ChatUserStatus = z.enum(["Onboarding", "Active"]).meta({ id: "ChatUserStatus" });

/** A chat user in API responses. */
export const ChatUser = z
  .object({
    id: Uuid,
    provider: z.string(),
    identifier: z.string().meta({ description: "The provider's id of the chat user." }),
    userName: z.string().nullable(),
    agentId: ChosenId,
    connectorId: Uuid,
    status: ChatUserStatus,
    tenantId: Uuid,
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "ChatUser" });
export type ChatUser = z.output<typeof ChatUser>;

/** A page of chat users, by connector, oldest connector first. */
export const ChatUserPage = pageSchema(ChatUser, "ChatUserPage");
