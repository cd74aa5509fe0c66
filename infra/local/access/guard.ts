import type { Access, Authorizer } from "../template/authorizer.ts";
import type { CallCounts } from "./call-counts.ts";
import { deniedMessage } from "./service-response.ts";

/** Authorizes a caller's accesses; returns the error message when one is denied, otherwise undefined. */
export type Guard = (caller: string, accesses: readonly Access[]) => string | undefined;

/** Creates a guard that counts each access and prints each denial. */
export const createGuard =
  (allowed: Authorizer, counts: CallCounts, print: (line: string) => void): Guard =>
  (caller, accesses) => {
    for (const access of accesses) {
      counts.add(caller, access.action);
      if (allowed(caller, access)) continue;
      const message = deniedMessage(caller || "(unsigned)", access.action, access.resource);
      const keys = access.context?.().get("dynamodb:LeadingKeys");
      print(`ACCESS DENIED ${message}${keys?.length ? ` (leading keys: ${keys.join(", ")})` : ""}`);
      return message;
    }
    return undefined;
  };
