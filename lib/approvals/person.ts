import type { Principal } from "../platform/auth/principal.ts";

/**
 * A person who decides. `caller`: a user or key with the scope. `link`: whoever has a signed link; `people`: the names of its
 * owner. `chat`: a user of the conversation that was asked; `id` is unique, `name` is shown.
 */
export type Decider =
  | { type: "caller"; principal: Principal }
  | { type: "link"; name: string; people: readonly string[] }
  | { type: "chat"; id: string; name: string };

/**
 * Returns the names by which a decider is the same person as another one: ids and verified addresses of a user, or of
 * the users who created a key; the key's id where no user did.
 */
export const listNames = (decider: Decider): string[] => {
  switch (decider.type) {
    case "caller": {
      const { userIds, id } = decider.principal;
      return userIds.length > 0 ? [...new Set([id, ...userIds])] : [id];
    }
    case "link":
      return [...decider.people];
    case "chat":
      return [`chat:${decider.id}`];
  }
};

/** Returns the name that is shown: the address of a user, or their id. */
export const nameDecider = (decider: Decider): string => {
  if (decider.type !== "caller") return decider.name;
  const { userIds, id } = decider.principal;
  return userIds.find(isAddress) ?? (decider.principal.type === "User" ? id : (userIds[0] ?? id));
};

/** Returns whether two lists have a name in common; addresses in any case. */
export const haveCommonName = (some: readonly string[], others: readonly string[]): boolean => {
  const known = new Set(others.map(toComparable));
  return some.some((name) => known.has(toComparable(name)));
};

const isAddress = (name: string): boolean => name.includes("@");

const toComparable = (name: string): string => (isAddress(name) ? name.toLowerCase() : name);
