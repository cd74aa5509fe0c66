import type { Principal } from "../../platform/auth/principal.ts";
import { isUuid } from "../../platform/http/ids.ts";
import { sha256Hex } from "../../platform/signatures/signatures.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";

/**
 * Owner of a connection: the tenant, an end user of its sessions, or a user of its organization. An end user and a user with
 * the same id are different owners.
 */
export type ConnectionOwner =
  | { readonly type: "Tenant" }
  | { readonly type: "EndUser" | "User"; readonly id: string };

/** The people of a call: the end user of its session, and the user who made it. */
export type ConnectionPeople = {
  readonly endUserId?: string | undefined;
  readonly userId?: string | undefined;
};

/** Finds the people of a call; called only for a config with connections of people. */
export type FindPeople = () => Promise<ConnectionPeople>;

/** Returns the people of a call by a principal: a key is no user. */
export const findCaller =
  ({ type, id }: { type: "User" | "ApiKey"; id: string }): FindPeople =>
  async () =>
    type === "User" ? { userId: id } : {};

/**
 * Returns whether the runs of a caller use the connections of any end user that it names: those of keys, which say who writes, and
 * of users who may create such connections.
 */
export const mayActForEndUsers = (principal: Pick<Principal, "type" | "scopes">): boolean =>
  principal.type === "ApiKey" || hasScope(principal, "integrations:write");

/** Finds no people. */
export const findNoPeople: FindPeople = async () => ({});

const digestLength = 32;

/** Returns the id of the one connection that an owner has of a config. */
export const deriveConnectionId = (configId: string, owner: ConnectionOwner): string => {
  const name = owner.type === "Tenant" ? [owner.type] : [owner.type, owner.id];
  return `${configId}.${sha256Hex(JSON.stringify(name)).slice(0, digestLength)}`;
};

/** Returns the config of a connection; undefined for a text that is no id of one. */
export const parseConfigId = (connectionId: string): string | undefined => {
  const [configId = "", digest = ""] = connectionId.split(".");
  return isUuid(configId) && digest.length === digestLength ? configId : undefined;
};

/** Returns the owner of the connection that a call uses; undefined where it is for no person. */
export const chooseOwner = (
  owner: "tenant" | "endUser",
  { endUserId, userId }: ConnectionPeople,
): ConnectionOwner | undefined => {
  if (owner === "tenant") return { type: "Tenant" };
  if (endUserId !== undefined) return { type: "EndUser", id: endUserId };
  return userId === undefined ? undefined : { type: "User", id: userId };
};
