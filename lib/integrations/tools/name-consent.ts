import { ConsentRequired, ToolError } from "../../engine/tools/tool.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import { mayConnect } from "../connection/may-connect.ts";

/** The direct caller of a tool. */
export type ToolCaller = Pick<Principal, "type" | "id" | "scopes">;

/**
 * Returns the error of a tool for its direct caller. Such a call does not wait: an error for a missing consent names the address at
 * which a person gives it, if the caller is shown it. Other errors are returned unchanged.
 */
export const nameConsent = (error: unknown, caller: ToolCaller): unknown => {
  if (!(error instanceof ConsentRequired)) return error;
  const { owner, scopes, url } = error.consent;
  const isOwner = owner.type === "User" && owner.id === caller.id;
  if (!isOwner && !mayConnect(caller, { owner, isActive: scopes.length > 0 })) return error;
  return new ToolError(`${error.message} Open ${url}, then call the tool again.`);
};
