import type * as z from "zod";
import { type AuthDeps, authenticate } from "../auth/authenticate.ts";
import { countRefusal } from "../auth/count-requests.ts";
import type { Principal } from "../auth/principal.ts";
import { requireWithinLimit } from "../auth/rate-limit.ts";
import { remoteKeys, tokenReader } from "../auth/user-token.ts";
import { requireRole } from "../collaborator/require-role.ts";
import { database } from "../db/database.ts";
import type { ObjectStore } from "../db/large-value.ts";
import { keySettings, rateLimitSettings, tokenSettings } from "../runtime/env.ts";
import { type Runtime, systemRuntime } from "../runtime/runtime.ts";
import { findTenant } from "../tenant/find-tenant.ts";
import type { TenantOwner } from "../tenant/store.ts";
import { answerCalls, type Call, type CallContext, type HttpHandler } from "./answer-call.ts";
import { type Once, runOnce } from "./idempotency/run-once.ts";
import { type ParsedRequest, parseRequest } from "./parse-request.ts";
import { insufficientScope, Problem, unauthenticated } from "./problems.ts";
import type { Headers } from "./request.ts";
import type { Reply } from "./respond.ts";
import type { RequiredScope, Route, Shape } from "./route.ts";
import { type Live, type StreamHandler, streamCalls } from "./streamed-endpoint.ts";

/** What a handler of an organization's route knows of the call. */
export type OrganizationContext = CallContext & { principal: Principal };
/** What a handler of a tenant's route knows of the call. */
export type TenantContext = OrganizationContext & {
  tenant: TenantOwner;
  /** Undefined without an Idempotency-Key. */
  once?: Once | undefined;
};

/** What a handler works with. Its bucket also keeps those of its answers that are too large for an item. */
type HandlerDeps = { readonly objects?: ObjectStore; readonly [name: string]: unknown };

type PathFor<Context> = Context extends TenantContext ? `${string}/{tenant}${string}` : string;
type Handle<
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Response extends z.ZodType,
  Deps,
  Context,
> = (
  input: ParsedRequest<Params, Query, Body> & { headers: Headers; ctx: Context },
  deps: Deps,
) => Promise<z.input<Response> | Reply>;

/**
 * The handler of a tenant's route. The order of checks: route, size, credentials, rate limit, tenant,
 * scope, role, request shape, idempotency key; what then remains, the resource, is the handler's own.
 */
export const endpoint = <
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Response extends z.ZodType,
  Deps extends HandlerDeps | undefined,
>(
  row: Route<Params, Query, Body, Response, PathFor<TenantContext>>,
  makeDeps: () => Deps,
  handle: Handle<Params, Query, Body, Response, Deps, TenantContext>,
  runtime: Runtime = systemRuntime,
): HttpHandler => {
  const work = tenantWork(row, makeDeps, handle);
  return answerCalls(row, runtime, (call) => work(call, {}));
};

/** The handler of a tenant's route that can answer by events and go on after its answer; the same order. */
export const streamedEndpoint = <
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Response extends z.ZodType,
  Deps extends HandlerDeps | undefined,
>(
  row: Route<Params, Query, Body, Response, PathFor<TenantContext>>,
  makeDeps: () => Deps,
  handle: Handle<Params, Query, Body, Response, Deps, TenantContext & Live>,
  runtime: Runtime = systemRuntime,
): StreamHandler => streamCalls(row, runtime, tenantWork(row, makeDeps, handle));

const tenantWork = <
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Response extends z.ZodType,
  Deps extends HandlerDeps | undefined,
  More,
>(
  row: Route<Params, Query, Body, Response, PathFor<TenantContext>>,
  makeDeps: () => Deps,
  handle: Handle<Params, Query, Body, Response, Deps, TenantContext & More>,
): ((call: Call, more: More) => Promise<unknown>) => {
  return async (call, more) => {
    const principal = await admit(call);
    const tenant = await admitToTenant(call, principal);
    call.note({ tenantId: tenant.id });
    requireScope(row.scope, principal);
    const agentId = call.pathValues.agent;
    await requireRole(row, { principal, tenantId: tenant.id, agentId }, database);
    const input = parseRequest(row, call.event, call.headers, call.pathValues);
    const deps = makeDeps();
    return runOnce(
      row,
      { call, principal, tenantId: tenant.id, input },
      { db: database(), objects: deps?.objects },
      (once) =>
        handle(
          {
            ...input,
            headers: call.headers,
            ctx: { ...call.context, ...more, principal, tenant, once },
          },
          deps,
        ),
    );
  };
};

/** The handler of a route of the organization as a whole: the same order, without a tenant. */
export const organizationEndpoint = <
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Response extends z.ZodType,
  Deps extends HandlerDeps | undefined,
>(
  row: Route<Params, Query, Body, Response>,
  makeDeps: () => Deps,
  handle: Handle<Params, Query, Body, Response, Deps, OrganizationContext>,
  runtime: Runtime = systemRuntime,
): HttpHandler =>
  answerCalls(row, runtime, async (call) => {
    const principal = await admit(call);
    requireScope(row.scope, principal);
    const input = parseRequest(row, call.event, call.headers, call.pathValues);
    const deps = makeDeps();
    return runOnce(
      row,
      { call, principal, tenantId: null, input },
      { db: database(), objects: deps?.objects },
      () => handle({ ...input, headers: call.headers, ctx: { ...call.context, principal } }, deps),
    );
  });

let sharedAuth: AuthDeps | undefined;

const authDeps = (): AuthDeps => {
  if (sharedAuth) return sharedAuth;
  const settings = tokenSettings();
  sharedAuth = {
    db: database(),
    readToken: tokenReader(settings, remoteKeys(settings)),
    prefixes: keySettings(),
    limits: rateLimitSettings(),
  };
  return sharedAuth;
};

const admit = async (call: Call): Promise<Principal> => {
  const { headers, context, reportRateLimit } = call;
  const { startedAt: now, sourceIp: address } = context;
  const { principal, rateLimit } = await authenticate(authDeps(), { headers, now }).catch(
    async (error: unknown) => {
      if (isRefusal(error)) {
        const refused = await countRefusal(authDeps(), { address, now });
        if (refused) {
          reportRateLimit(refused);
          requireWithinLimit(refused, now);
        }
      }
      throw error;
    },
  );
  if (rateLimit) {
    reportRateLimit(rateLimit);
    requireWithinLimit(rateLimit, now);
  }
  call.note({ principalType: principal.type, principalId: principal.id });
  return principal;
};

const isRefusal = (error: unknown): boolean =>
  error instanceof Problem &&
  (error.slug === "unauthenticated" || error.slug === "credentials-expired");

/** An unknown tenant counts against the source address, as refused credentials do. */
const admitToTenant = async (
  { context, pathValues, reportRateLimit }: Call,
  principal: Principal,
) => {
  const { startedAt: now, sourceIp: address } = context;
  try {
    return await findTenant(database(), pathValues.tenant ?? "", principal);
  } catch (error) {
    const refused = await countRefusal(authDeps(), { address, now });
    if (refused) {
      reportRateLimit(refused);
      requireWithinLimit(refused, now);
    }
    throw error;
  }
};

const requireScope = (scope: RequiredScope, principal: Principal): void => {
  if (scope === "public" || scope === "authenticated") return;
  if (scope === "api-key") {
    if (principal.type !== "ApiKey") throw unauthenticated("This call is for API keys alone.");
    return;
  }
  if (!principal.scopes.includes(scope)) throw insufficientScope(scope);
};
