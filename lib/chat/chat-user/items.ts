import * as z from "zod";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { AccessRequest, ChatUser } from "./schemas.ts";

/** A chat user as it is stored. */
export const ChatUserItem = z.object(ChatUser.shape).extend({
  tenantId: TenantId,
  /** The pending request of this user, of whom there is one at most; undefined for none. */
  pendingRequestId: z.string().optional(),
  /** Which message made the latest request; see `messageMark`. */
  askedBy: z.string().optional(),
  /** After a rejection: when another message may make a new request, Unix milliseconds. */
  mayAskAt: z.int().optional(),
});
export type ChatUserItem = z.output<typeof ChatUserItem>;

/** An access request as it is stored, twice: among all, and among those of its status. */
export const AccessRequestItem = z
  .object(AccessRequest.shape)
  .extend({ tenantId: TenantId, chatUserId: z.string() });
export type AccessRequestItem = z.output<typeof AccessRequestItem>;

/** The message that made a request, apart from it, so that lists never read it. */
export const AccessMessageItem = z.object({
  /** A `ChatMessage` as JSON: an item cannot be nested as deep as JSON can. */
  message: z.string(),
});
