import type { ApprovalItem } from "../executions/approvals/approval-store.ts";
import { mayConnect } from "../integrations/connection/may-connect.ts";
import type { Principal } from "../platform/auth/principal.ts";

/** Returns the address at which a person gives the consent of an approval, for a reader who is shown it; undefined otherwise. */
export const findAddress = (
  { authorizeUrl, consent }: Pick<ApprovalItem, "authorizeUrl" | "consent">,
  reader: Pick<Principal, "type" | "id" | "scopes">,
): string | undefined => {
  if (!consent) return undefined;
  const { owner, scopes } = consent;
  return mayConnect(reader, { owner, isActive: scopes.length > 0 }) ? authorizeUrl : undefined;
};
