import { isAddress, lowerAddress } from "../platform/auth/mail-address.ts";
import type { Principal } from "../platform/auth/principal.ts";

/** The holder of a link, in their name it decides: its creator, the address that it was mailed to, or the people in a chat. */
export type LinkHolder =
  | { type: "principal"; principal: Principal }
  | { type: "mail"; address: string }
  | { type: "chat"; connectorId: string };

/**
 * A person who decides. `caller`: a user or key with the scope. `link`: whoever has a signed link. `chat`: a user of the
 * conversation that was asked; `id` is unique, `name` is shown.
 */
export type Decider =
  | { type: "caller"; principal: Principal }
  | { type: "link"; holder: LinkHolder }
  | { type: "chat"; id: string; name: string; connectorId: string };

/**
 * Returns the names by which a decider is the same person as another one: ids and verified addresses of a user, or of
 * the users who created a key; the key's id where no user did.
 */
export const listNames = (decider: Decider): string[] => {
  switch (decider.type) {
    case "caller":
      return listPrincipalNames(decider.principal);
    case "link":
      return listHolderNames(decider.holder);
    case "chat":
      return [nameChatUser(decider.id)];
  }
};

/** Returns the name by which a chat user is the same person. */
export const nameChatUser = (chatUserId: string): string => `chat:${chatUserId}`;

const listPrincipalNames = ({ userIds, id }: Principal): string[] =>
  userIds.length > 0 ? [...new Set([id, ...userIds])] : [id];

const listHolderNames = (holder: LinkHolder): string[] => {
  switch (holder.type) {
    case "principal":
      return listPrincipalNames(holder.principal);
    case "mail":
      return [holder.address];
    case "chat":
      return [`link:${holder.connectorId}`];
  }
};

/** Returns the name that is shown: the address of a user, or their id. */
export const nameDecider = (decider: Decider): string => {
  switch (decider.type) {
    case "caller":
      return namePrincipal(decider.principal);
    case "link":
      return nameHolder(decider.holder);
    case "chat":
      return decider.name;
  }
};

const namePrincipal = ({ type, userIds, id }: Principal): string =>
  userIds.find(isAddress) ?? (type === "User" ? id : (userIds[0] ?? id));

const nameHolder = (holder: LinkHolder): string => {
  switch (holder.type) {
    case "principal":
      return `link of ${namePrincipal(holder.principal)}`;
    case "mail":
      return `link of ${holder.address}`;
    case "chat":
      return "link in the chat";
  }
};

/** Returns whether two lists have a name in common; addresses in any case. */
export const haveCommonName = (some: readonly string[], others: readonly string[]): boolean => {
  const known = new Set(others.map(toComparable));
  return some.some((name) => known.has(toComparable(name)));
};

const toComparable = (name: string): string => (isAddress(name) ? lowerAddress(name) : name);
