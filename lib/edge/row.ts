import type * as z from "zod";
import type { Principal } from "../platform/auth/principal.ts";
import type { CallContext } from "../platform/http/call-context.ts";
import type { Headers } from "../platform/http/request.ts";
import type { Shape } from "../platform/http/row.ts";
import type { OrganizationContext, TenantContext } from "../tenancy/tenant/context.ts";
import type { TenantOwner } from "../tenancy/tenant/store.ts";
import type { Reply } from "./respond.ts";
import type { Route } from "./route.ts";

/** Any row. */
export type Row = Route;

type ValuesOf<Named> = Named extends Shape
  ? { [Name in keyof Named]: z.output<Named[Name]> }
  : never;

/** The parsed input of a row. */
export type InputOf<R extends Row> = {
  params: ValuesOf<NonNullable<R["params"]>>;
  query: ValuesOf<NonNullable<R["query"]>>;
  body: z.output<NonNullable<R["body"]>>;
};

/** The value that a row's handler returns: of the declared shape, or a whole reply. */
export type ResponseOf<R extends Row> = z.input<NonNullable<R["response"]["schema"]>> | Reply;

type HasTenant = `${string}{tenant}${string}`;

/** The context of a row's handler. */
export type ContextOf<R extends Row> = R["path"] extends HasTenant
  ? TenantContext
  : OrganizationContext;

/** The request as a row's handler gets it. */
export type RequestOf<R extends Row> = InputOf<R> & {
  headers: Headers;
  principal: Principal;
  tenant: R["path"] extends HasTenant ? TenantOwner : undefined;
  ctx: ContextOf<R>;
};

/** The request as the handler of a public row gets it. */
export type PublicRequestOf<R extends Row> = InputOf<R> & { headers: Headers; ctx: CallContext };
