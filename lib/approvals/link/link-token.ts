import * as z from "zod";
import type { ApprovalItem } from "../../executions/approvals/approval-store.ts";
import { Uuid } from "../../platform/http/ids.ts";
import { sha256Hex } from "../../platform/signatures/signatures.ts";
import { readToken, signToken } from "../../tenancy/tenant/signed-token.ts";
import { canonicalJson } from "../../values/json/canonical-json.ts";

/**
 * The owner of a link: the user or the key that created it, the address that it was mailed to, or the people in a
 * connector's conversation. `isCollaborator`: whether the user was a collaborator of the agent then.
 */
export type LinkOwner =
  | { type: "user"; id: string; userIds: readonly string[]; isCollaborator: boolean }
  | { type: "key"; id: string }
  | { type: "mail"; address: string }
  | { type: "chat"; connectorId: string };

/** The content of a link to an approval. */
export type LinkClaims = {
  approvalId: string;
  /** Digest of the actions and of the tool's arguments. */
  content: string;
  /** Unix milliseconds. */
  expiresAt: number;
  owner: LinkOwner;
};

const name = z.string();
const Owner = z.union([
  z.tuple([z.literal(["user", "collaborator"]), name], name).transform(
    ([kind, id, ...userIds]): LinkOwner => ({
      type: "user",
      id,
      userIds,
      isCollaborator: kind === "collaborator",
    }),
  ),
  z.tuple([z.literal("key"), name]).transform(([type, id]): LinkOwner => ({ type, id })),
  z.tuple([z.literal("mail"), name]).transform(([type, address]): LinkOwner => ({ type, address })),
  z
    .tuple([z.literal("chat"), name])
    .transform(([type, connectorId]): LinkOwner => ({ type, connectorId })),
]);

/** As signed: without names of members, since a path has at most 2,048 characters. */
const Payload = z.tuple([Uuid, z.string(), z.int(), Owner]).transform(
  ([approvalId, content, expiresAt, owner]): LinkClaims => ({
    approvalId,
    content,
    expiresAt,
    owner,
  }),
);

const purpose = "approval-links";
const digestLength = 32;

/** Hashes what a link decides about: the approval's actions, and the tool with its arguments. */
export const hashContent = ({
  actions,
  toolId,
  arguments: shown,
  argumentsHash,
}: Pick<ApprovalItem, "actions" | "toolId" | "arguments" | "argumentsHash">): string => {
  const ids = actions.map(({ id }) => id);
  return sha256Hex(canonicalJson([ids, toolId, shown, argumentsHash])).slice(0, digestLength);
};

/** Returns the signed end of a link's path. */
export const signLink = (
  secret: string,
  tenantId: string,
  { approvalId, content, expiresAt, owner }: LinkClaims,
): string =>
  signToken({ secret, tenantId, purpose }, [approvalId, content, expiresAt, listOwner(owner)]);

const listOwner = (owner: LinkOwner): string[] => {
  switch (owner.type) {
    case "user":
      return [owner.isCollaborator ? "collaborator" : "user", owner.id, ...owner.userIds];
    case "key":
      return ["key", owner.id];
    case "mail":
      return ["mail", owner.address];
    case "chat":
      return ["chat", owner.connectorId];
  }
};

/** Returns what a link was signed with; undefined for any other text. */
export const readLink = (
  secret: string,
  tenantId: string,
  token: string,
): LinkClaims | undefined => {
  const content = readToken({ secret, tenantId, purpose }, token);
  return content === undefined ? undefined : Payload.parse(content);
};
