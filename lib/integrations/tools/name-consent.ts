import { ConsentRequired, ToolError } from "../../engine/tools/tool.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import { mayConnect } from "../../tenancy/collaborator/may.ts";

/**
 * Returns the error of a tool for its direct caller. Such a call does not wait: an error for a missing consent names the address at
 * which a person gives it, if the caller is that person or may give it to others. Other errors are returned unchanged.
 */
export const nameConsent = (error: unknown, caller: Pick<Principal, "scopes">): unknown =>
  error instanceof ConsentRequired && (error.consent.userId !== undefined || mayConnect(caller))
    ? new ToolError(`${error.message} Open ${error.consent.url}, then call the tool again.`)
    : error;
