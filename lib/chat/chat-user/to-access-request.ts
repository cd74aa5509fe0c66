import type { AccessRequestItem } from "./items.ts";
import type { AccessRequest } from "./schemas.ts";

/** The public shape of a stored access request. */
export const toAccessRequest = ({ chatUserId: _, ...item }: AccessRequestItem): AccessRequest =>
  item;
