import { ToolError } from "../../engine/tools/tool.ts";
import {
  beingChanged,
  conflict,
  notFound,
  validationFailed,
} from "../../platform/http/problems.ts";
import { upstreamProblem } from "../../platform/http/upstream-problem.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { asksPerson } from "../config/oauth-settings.ts";
import { getIntegrationConfig } from "../config/store.ts";
import { connectWithoutPerson } from "./access-tokens.ts";
import { readOAuthConfig } from "./begin-consent.ts";
import type { ConnectionDeps, OAuthConfig } from "./connection-deps.ts";
import { type ConnectionOwner, chooseOwner } from "./connection-owner.ts";
import { findStatus } from "./find-status.ts";
import { provideConnection } from "./provide-connection.ts";
import type { CreateConnectionBody } from "./schemas.ts";
import { type ConnectionItem, changeConnection, getConnection } from "./store.ts";
import { addScopes } from "./want-scopes.ts";

/**
 * Creates the connection of an owner, or prepares another consent for one that is not active, or that is to get more scopes.
 * A config that needs no consent is connected immediately. Throws 400, 404, 409 for one that is active, 422, 502 and 504.
 */
export const createConnection = async (
  deps: ConnectionDeps,
  {
    ctx,
    body,
  }: { ctx: Pick<TenantContext, "tenant" | "principal" | "clock">; body: CreateConnectionBody },
): Promise<ConnectionItem> => {
  const { db } = deps;
  const tenantId = ctx.tenant.id;
  const { integrationConfigId: configId, scopes } = body;
  if (!(await getIntegrationConfig(db, tenantId, configId))) {
    throw notFound("integration config", configId);
  }
  const config = await readOAuthConfig(deps, { tenantId, configId });
  const owner = requireOwner(config, ctx, body);
  const { item, isNew } = await provideConnection(deps, { tenantId, configId, owner });
  if (!asksPerson(config.oauth)) return connect(deps, config, item);
  const isSameTarget = item.target === config.oauth.target;
  const now = ctx.clock();
  const isActive = findStatus(item, config.oauth, now) === "Active";
  const missing = scopes?.filter((scope) => !item.scopes.includes(scope)) ?? [];
  if (isActive && scopes == null && item.wantedScopes) return item;
  if (!isNew && isActive && missing.length === 0) {
    throw conflict("It is connected already. Delete the connection to connect another account.");
  }
  if (item.status === "Revoked") throw conflict("The connection is being deleted. Try again.");
  if (isNew && scopes == null) return item;
  const change: Partial<ConnectionItem> = {
    ...(!isActive && { status: "Pending", error: null }),
    // None: those of the config and those that services wanted, or those of the server.
    wantedScopes: isSameTarget && scopes ? addScopes(item, scopes) : [...(scopes ?? [])],
    refusedScopes: item.refusedScopes?.filter((scope) => !scopes?.includes(scope)) ?? [],
    modifiedAt: now,
  };
  if (await changeConnection(db, tenantId, item, change)) return { ...item, ...change };
  throw beingChanged("connection", item.id);
};

/** Gets tokens without a person. */
const connect = async (
  deps: ConnectionDeps,
  config: OAuthConfig,
  item: ConnectionItem,
): Promise<ConnectionItem> => {
  try {
    await connectWithoutPerson(deps, { config, item });
  } catch (error) {
    if (error instanceof UpstreamError) throw upstreamProblem(error);
    if (error instanceof ToolError) throw conflict(error.message);
    throw error;
  }
  return (await getConnection(deps.db, config.tenantId, item.id)) ?? item;
};

const requireOwner = (
  { oauth }: OAuthConfig,
  { principal }: Pick<TenantContext, "principal">,
  { endUserId }: CreateConnectionBody,
): ConnectionOwner => {
  const pointer = "/endUserId";
  if (oauth.owner === "tenant" && endUserId != null) {
    const detail = "must be absent: the config has one connection for all of the tenant";
    throw validationFailed([{ pointer, detail }]);
  }
  const owner = chooseOwner(oauth.owner, {
    endUserId: endUserId ?? undefined,
    userId: principal.type === "User" ? principal.id : undefined,
  });
  if (owner) return owner;
  const detail = "is required: an API key is not a user and has no connection";
  throw validationFailed([{ pointer, detail }]);
};
