import type { Principal } from "../../platform/auth/principal.ts";
import type { CallContext, Once } from "../../platform/http/call-context.ts";
import type { TenantOwner } from "./store.ts";

/** The context of a handler whose route has no tenant. */
export type OrganizationContext = CallContext & { principal: Principal };
/** The context of a handler whose route has a tenant. */
export type TenantContext = OrganizationContext & {
  tenant: TenantOwner;
  /** Undefined without an Idempotency-Key. */
  once?: Once | undefined;
};
