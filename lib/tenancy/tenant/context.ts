import type { Principal } from "../../platform/auth/principal.ts";
import type { CallContext, Once } from "../../platform/http/call-context.ts";
import type { TenantOwner } from "./store.ts";

/** The context of a handler for a route without a tenant. */
export type OrganizationContext = CallContext & { principal: Principal };
/** An agent's item as it was read, undefined when there is none. */
export type ReadAgent = { item: unknown };
/** The context of a handler for a route with a tenant. */
export type TenantContext = OrganizationContext & {
  tenant: TenantOwner;
  /** The agent, if it was read together with the caller's role. */
  readAgent?: ReadAgent | undefined;
  /** Undefined without an Idempotency-Key. */
  once?: Once | undefined;
};
