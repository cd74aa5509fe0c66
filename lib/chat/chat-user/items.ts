import * as z from "zod";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { AccessRequest, ChatUser } from "./schemas.ts";

/** Stored chat user. */
export const ChatUserItem = z.object(ChatUser.shape).extend({
  tenantId: TenantId,
  /** The user's only pending request, if any. */
  pendingRequestId: z.string().optional(),
  /** Fingerprint of the message that created the latest request; see `messageMark`. */
  askedBy: z.string().optional(),
  /** After a rejection: when a message may create a new request, Unix milliseconds. */
  mayAskAt: z.int().optional(),
});
export type ChatUserItem = z.output<typeof ChatUserItem>;

/** Stored access request; written under its id and under its status. */
export const AccessRequestItem = z
  .object(AccessRequest.shape)
  .extend({ tenantId: TenantId, chatUserId: z.string() });
export type AccessRequestItem = z.output<typeof AccessRequestItem>;

/** The message that created a request, in its own item so that lists do not read it. */
export const AccessMessageItem = z.object({
  /** A `ChatMessage` as JSON: items cannot nest as deeply as JSON. */
  message: z.string(),
});
