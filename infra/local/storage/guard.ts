import type { Access, Authorizer } from "../access/authorizer.ts";
import type { CallCounts } from "./call-counts.ts";
import { deniedMessage } from "./service-answer.ts";

/** Says whether a caller may do all of `accesses`: undefined when it may, else the refusal's words. */
export type Guard = (caller: string, accesses: readonly Access[]) => string | undefined;

/** A guard that counts each call and tells loudly of each refusal. */
export const createGuard =
  (allowed: Authorizer, counts: CallCounts, tell: (line: string) => void): Guard =>
  (caller, accesses) => {
    for (const access of accesses) {
      counts.add(caller, access.action);
      if (allowed(caller, access)) continue;
      const message = deniedMessage(caller || "(unsigned)", access.action, access.resource);
      const keys = access.context?.().get("dynamodb:LeadingKeys");
      tell(`ACCESS DENIED ${message}${keys?.length ? ` (leading keys: ${keys.join(", ")})` : ""}`);
      return message;
    }
    return undefined;
  };
