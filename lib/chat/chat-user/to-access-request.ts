import type { AccessRequestItem } from "./items.ts";
import type { AccessRequest } from "./schemas.ts";

/** Maps a stored access request to its response. */
export const toAccessRequest = ({ chatUserId: _, ...item }: AccessRequestItem): AccessRequest =>
  item;
