import type * as z from "zod";
import type { Principal } from "../platform/auth/principal.ts";
import type { RequiredScope } from "../platform/auth/scopes.ts";
import type { Database } from "../platform/db/database.ts";
import type { CallContext } from "../platform/http/call-context.ts";
import type { ProblemSlug } from "../platform/http/problem-registry.ts";
import type { Headers } from "../platform/http/request.ts";
import type { Method, Shape } from "../platform/http/row.ts";
import type { QueueName } from "../platform/queue/queues.ts";
import type { AuditedResource } from "../tenancy/audit/schemas.ts";
import type { CollaboratorRole } from "../tenancy/collaborator/role.ts";
import type { OrganizationContext, TenantContext } from "../tenancy/tenant/context.ts";
import type { TenantOwner } from "../tenancy/tenant/store.ts";
import type { Protocol } from "./protocol.ts";

/** Resources that a function may use; becomes its IAM policy and its environment. */
export type Access = {
  table?: "read" | "write";
  /** `put` adds objects alone. `purge` finds and deletes objects, and does not read them. */
  bucket?: "read" | "write" | "put" | "purge";
  /** Searches vector indexes, or also creates and changes them. */
  vectors?: "read" | "write";
  publishes?: readonly QueueName[];
  /** `seal` encrypts secrets, `open` decrypts them. */
  secrets?: "seal" | "open";
  /** Calls language models: has the price list's overrides, and may call Bedrock. */
  models?: true;
  /** Prices language models without calling them: has the price list's overrides. */
  prices?: true;
  /** Reads asset sources: has the deployment's settings and credentials for them. */
  sources?: true;
  /** Sends mail, from ALERT_EMAIL_FROM. */
  mails?: true;
  /** Makes and removes the schedules of job policies. */
  schedules?: "write";
  /** Names the issuer of user tokens. */
  issuer?: true;
};

/** The variable names of a path template, as a union. */
export type PathVariables<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathVariables<Rest> : never;

/** The shape of a row without parameters. */
export type NoShape = Readonly<Record<never, z.ZodType>>;

/** `{tenant}` is resolved for every route, so a row declares only the other variables. */
type OwnVariables<Path extends string> = Exclude<PathVariables<Path>, "tenant">;

/** A response with status 200 and a body of one of these media types, with an example per type. */
type SpecialReply = { description: string; examples: Readonly<Record<string, unknown>> };

/** Names of the events that end a stream. */
export type RowStreaming = {
  completed: string;
  failed: string;
  /** Whether a caller who accepts events gets them only where the handler sends one before its response. */
  onDemand?: true;
  /** Whether the event of a problem is an error of JSON-RPC to the request, with the problem as its data. */
  rpcErrors?: true;
  /** Whether the event of an error has the member `sequence_number`, as the events before it have. */
  numbersErrors?: true;
};

/** One endpoint: the only place where anything about it is written. */
export type Route<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Path extends string = string,
  Scope extends RequiredScope = RequiredScope,
> = {
  /** kebab-case name of the file, the function, the log lines and, in camelCase, the operationId. */
  operation: string;
  /** Folder under `functions/`, and tag in the OpenAPI document. */
  group: string;
  method: Method;
  /** The public path, with its custom method. */
  path: Path;
  summary: string;
  scope: Scope;
  /** Scope that allows callers to use the executions they started; the handler checks who started it. */
  starterScope: RequiredScope | undefined;
  /** Minimum role of a user who is a collaborator of the path's `{agent}`; undefined without one. */
  role?: CollaboratorRole;
  /** Whether the role is read together with the agent, for a handler that reads the agent anyway. */
  readsAgent: boolean;
  /** Path variables but `{tenant}`, in the path's order. */
  params: Params | undefined;
  query: Query | undefined;
  body: Body | undefined;
  /** Maximum bytes of the body; undefined for the general maximum. API Gateway passes on about 4.4 MiB. */
  maxBodyBytes: number | undefined;
  /** `accepted`: may also respond 202 with the same shape, when it continues after its response. */
  response: { status: SuccessStatus; schema: Response | undefined; accepted: boolean };
  /** Members of the response that contain a secret. A replay of the response has null in their place. */
  shownOnce: readonly string[];
  /** Problems beyond those implied by scope, path and body. */
  problems: readonly ProblemSlug[];
  access: Access;
  /**
   * An inbound address: the body is raw bytes of any type, up to 4 MiB, and the path may end with a key, which is
   * never logged or returned. The handler checks the credentials.
   */
  inbound: boolean;
  /** Response of another media type than JSON, or for a provider; undefined for none. */
  reply: SpecialReply | undefined;
  /** The path ends with a signature, which is never logged or returned. The handler verifies it. */
  signed: boolean;
  /** For a row that can respond with server-sent events and continue after its response; undefined otherwise. */
  streaming: RowStreaming | undefined;
  /**
   * The protocol of a route for the clients of others: its errors and events have the format of the protocol, and the handler
   * decides whether the response is streamed. Undefined for a route of the API's own.
   */
  protocol: Protocol | undefined;
  /**
   * An OAuth 2.1 resource of its own: its refusals name its metadata, and a user token may be issued for it alone.
   */
  isOAuthResource: boolean;
  /** Whether a bearer token may be an API key: for the clients of others, and for addresses that they are sent. */
  takesBearerKeys: boolean;
  /** Timeout of the function in seconds; API Gateway's limit is 29, for a stream 900. */
  timeoutSeconds: number;
  /**
   * For a row that makes its caller wait for other systems: which part of it takes one of the tenant's slots. "call": the
   * whole call, refused with 429 when all are taken. "handler": what the handler decides. Undefined for other rows.
   */
  slots: "call" | "handler" | undefined;
  /** Remedy without waiting when all slots are taken, for the detail of the 429. */
  withoutSlot?: string;
  /** Part of the functions that keep callers waiting; only for a row with `slots`. */
  concurrencyWeight: number;
  /** The resource that a call creates or changes, for the audit trail; undefined for a row that changes none. */
  audit:
    | {
        resource: AuditedResource;
        newId: string | undefined;
        /** Path variables that are not part of the resource's id. */
        unnamed: readonly string[];
      }
    | undefined;
};

/** Any row. */
export type Row = Route;

type ParsedValues<Named> = Named extends Shape
  ? { [Name in keyof Named]: z.output<Named[Name]> }
  : never;

/** The parsed input of a row. */
export type RequestInput<R extends Row> = {
  params: ParsedValues<NonNullable<R["params"]>>;
  query: ParsedValues<NonNullable<R["query"]>>;
  body: z.output<NonNullable<R["body"]>>;
  /** Members at the top of the body that the row does not have. */
  ignored: readonly string[];
};

type HasTenant = `${string}{tenant}${string}`;

/** The context of a row's handler. */
export type HandlerContext<R extends Row> = R["path"] extends HasTenant
  ? TenantContext
  : OrganizationContext;

/** The request as a row's handler gets it. */
export type RouteRequest<R extends Row> = RequestInput<R> & {
  headers: Headers;
  principal: Principal;
  tenant: R["path"] extends HasTenant ? TenantOwner : undefined;
  ctx: HandlerContext<R>;
  /** The table. The first write through it also stores the audit record of a row that changes a resource. */
  db: Database;
};

/** The request as the handler of a public row gets it. */
export type PublicRouteRequest<R extends Row> = RequestInput<R> & {
  headers: Headers;
  ctx: CallContext;
};

type SuccessStatus = 200 | 201 | 202 | 204 | 302;

type RouteInput<
  Path extends string,
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Response extends z.ZodType,
  Scope extends RequiredScope,
> = {
  operation: string;
  method: Method;
  path: Path;
  summary: string;
  scope: Scope;
  starterScope?: RequiredScope;
  /** Only for a row with `{agent}`. Default: `Viewer` for GET, `Editor` for other methods. */
  role?: CollaboratorRole;
  readsAgent?: boolean;
  params?: Params & { [Name in Exclude<keyof Params, OwnVariables<Path>>]: never };
  query?: Query;
  body?: Body;
  maxBodyBytes?: number;
  response: { status: SuccessStatus; schema?: Response; accepted?: boolean };
  shownOnce?: readonly (keyof z.output<Response> & string)[];
  problems?: readonly ProblemSlug[];
  access?: Access;
  inbound?: boolean;
  reply?: SpecialReply;
  signed?: boolean;
  streaming?: RowStreaming;
  protocol?: Protocol;
  isOAuthResource?: boolean;
  /** Default: true for a row with a protocol and for an OAuth resource. */
  takesBearerKeys?: boolean;
  timeoutSeconds?: number;
  slots?: "call" | "handler";
  withoutSlot?: string;
  concurrencyWeight?: number;
  /** Type of the resource that a call creates; the audit trail has the id of its item. */
  creates?: AuditedResource;
  /** Member of the new item with the id. Default: `id`. */
  newId?: string;
  /** Path variables that are not part of the resource's id in the audit trail, such as a step of its creation. */
  unnamed?: readonly OwnVariables<Path>[];
  /** Type of the resource that a call changes or deletes. It is in the audit trail by the path's variables. */
  changes?: AuditedResource;
} & ([OwnVariables<Path>] extends [never]
  ? unknown
  : { params: { [Name in OwnVariables<Path>]: z.ZodType } });

const deriveRole = ({
  path,
  method,
  role,
}: {
  path: string;
  method: Method;
  role?: CollaboratorRole;
}): CollaboratorRole | undefined => {
  if (!path.includes("{agent}")) return undefined;
  return role ?? (method === "GET" ? "Viewer" : "Editor");
};

const toAudit = ({
  creates,
  newId = "id",
  changes,
  unnamed = [],
}: {
  creates?: AuditedResource | undefined;
  newId?: string | undefined;
  changes?: AuditedResource | undefined;
  unnamed?: readonly string[] | undefined;
}): Route["audit"] => {
  if (creates) return { resource: creates, newId, unnamed };
  return changes && { resource: changes, newId: undefined, unnamed };
};

/** Creates a group's `defineRoute`, which sets the group of each row. */
export const createDefineRoute =
  (group: string) =>
  <
    const Path extends `/${string}`,
    Params extends Shape = NoShape,
    Query extends Shape = NoShape,
    Body extends z.ZodType = z.ZodUndefined,
    Response extends z.ZodType = z.ZodUndefined,
    const Scope extends RequiredScope = RequiredScope,
  >(
    row: RouteInput<Path, Params, Query, Body, Response, Scope>,
  ): Route<Params, Query, Body, Response, Path, Scope> => ({
    operation: row.operation,
    group,
    method: row.method,
    path: row.path,
    summary: row.summary,
    scope: row.scope,
    starterScope: row.starterScope,
    role: deriveRole(row),
    readsAgent: row.readsAgent ?? false,
    params: row.params,
    query: row.query,
    body: row.body,
    maxBodyBytes: row.maxBodyBytes,
    response: {
      status: row.response.status,
      schema: row.response.schema,
      accepted: row.response.accepted ?? false,
    },
    shownOnce: row.shownOnce ?? [],
    problems: row.problems ?? [],
    access: row.access ?? {},
    inbound: row.inbound ?? false,
    reply: row.reply,
    signed: row.signed ?? false,
    streaming: row.streaming,
    protocol: row.protocol,
    isOAuthResource: row.isOAuthResource ?? false,
    takesBearerKeys:
      row.takesBearerKeys ?? (row.protocol !== undefined || row.isOAuthResource === true),
    timeoutSeconds: row.timeoutSeconds ?? (row.streaming ? 900 : 29),
    slots: row.slots,
    withoutSlot: row.withoutSlot,
    concurrencyWeight: row.concurrencyWeight ?? 1,
    audit: toAudit(row),
  });
