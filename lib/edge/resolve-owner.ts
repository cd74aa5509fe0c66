import { insufficientScope, unknownAddress } from "../platform/http/problems.ts";
import { findOwner } from "../tenancy/tenant/find-owner.ts";
import type { Sent } from "./admit-sender.ts";
import type { Link } from "./context.ts";

/**
 * Finds the tenant of an inbound address. Throws 404 for one that does not exist or belongs to another organization
 * than the key. Throws 403 for a key without `inbound:deliver`.
 */
export const resolveOwner = ({ kind, id }: { kind: string; id: string }): Link<Sent> => ({
  before: async ({ context }) => {
    const { database, pathValues, principal, call } = context;
    const tenant = await findOwner(database(), pathValues.tenant ?? "", call.startedAt);
    if (!tenant || (principal && principal.organizationId !== tenant.organizationId)) {
      throw unknownAddress(kind, pathValues[id] ?? "");
    }
    if (principal && !principal.scopes.includes("inbound:deliver")) {
      throw insufficientScope("inbound:deliver");
    }
    context.tenant = tenant;
  },
});
