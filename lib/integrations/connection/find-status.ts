import { asksPerson } from "../config/oauth-settings.ts";
import type { PublishedOAuth } from "../config/read-published-config.ts";
import { isUsable } from "./refresh-connection.ts";
import type { ConnectionItem } from "./store.ts";

/**
 * Returns the status of a connection as the next call of its config finds it, which writes it: `Expired` after the config sends its calls
 * elsewhere, and for a token that is over and that only a person can replace.
 */
export const findStatus = (
  item: ConnectionItem,
  oauth: PublishedOAuth,
  now: number,
): ConnectionItem["status"] => {
  const { status, target, isRefreshable, expiresAt } = item;
  const isOver = expiresAt !== null && !isUsable(item, now) && !isRefreshable && asksPerson(oauth);
  return status === "Active" && (target !== oauth.target || isOver) ? "Expired" : status;
};
