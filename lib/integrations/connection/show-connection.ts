import type { TenantId } from "../../platform/db/tenant-id.ts";
import { mapPage, type Page, type PageRequest } from "../../platform/http/paging.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { asksPerson } from "../config/oauth-settings.ts";
import { readPublishedSettings } from "../config/read-published-settings.ts";
import type { ConnectionDeps } from "./connection-deps.ts";
import { buildConnectionUrl, linkMs, needsConsent } from "./connection-link.ts";
import { parseConfigId } from "./connection-owner.ts";
import { mayConnect } from "./may-connect.ts";
import type { Connection } from "./schemas.ts";
import { type ConnectionItem, getConnection, listConnections } from "./store.ts";

type ShowContext = Pick<TenantContext, "tenant" | "principal" | "baseUrl" | "clock">;
type ShowDeps = Pick<ConnectionDeps, "db" | "sealer">;

/** Returns a connection in the API's shape, with a new link where it needs a consent and the caller may give it to a person. */
export const showConnection = async (
  deps: ShowDeps,
  { ctx: { tenant, principal, baseUrl, clock }, item }: { ctx: ShowContext; item: ConnectionItem },
): Promise<Connection> => {
  const { status, ownerType: type, ownerId: id } = item;
  const isShown = mayConnect(principal, { owner: { type, id }, isActive: status === "Active" });
  const needsLink = needsConsent(item) && status !== "Revoked" && isShown;
  const link = { ...deps, publicUrl: baseUrl };
  const authorizeUrl =
    needsLink && (await asksForConsent(deps, tenant.id, item))
      ? ((await buildConnectionUrl(link, tenant.id, item, clock() + linkMs)) ?? null)
      : null;
  return toConnection(item, authorizeUrl);
};

/** Returns whether a person can give a consent for a connection: the published config asks for one. */
const asksForConsent = async (
  { db }: ShowDeps,
  tenantId: TenantId,
  { integrationConfigId: configId }: ConnectionItem,
): Promise<boolean> => {
  const settings = await readPublishedSettings({ db }, { tenantId, configId });
  return settings !== undefined && asksPerson(settings);
};

const toConnection = (item: ConnectionItem, authorizeUrl: string | null): Connection => ({
  id: item.id,
  integrationConfigId: item.integrationConfigId,
  owner: ({ Tenant: "tenant", EndUser: "endUser", User: "user" } as const)[item.ownerType],
  endUserId: item.ownerType === "EndUser" ? (item.ownerId ?? null) : null,
  userId: item.ownerType === "User" ? (item.ownerId ?? null) : null,
  status: item.status,
  scopes: item.scopes,
  error: item.error,
  authorizeUrl,
  expiresAt: item.expiresAt,
  connectedAt: item.connectedAt,
  createdAt: item.createdAt,
  modifiedAt: item.modifiedAt,
});

type ListRequest = {
  tenantId: TenantId;
  filter: { configId?: string | undefined; endUserId?: string | undefined };
  page: PageRequest;
};

/** Returns a page of a tenant's connections, without links. */
export const listShownConnections = async (
  { db }: Pick<ConnectionDeps, "db">,
  { tenantId, filter, page }: ListRequest,
): Promise<Page<Connection>> =>
  mapPage(await listConnections(db, tenantId, filter, page), (item) => toConnection(item, null));

/** Reads a connection. Throws 404. */
export const requireConnection = async (
  { db }: Pick<ConnectionDeps, "db">,
  { tenantId, connectionId }: { tenantId: TenantId; connectionId: string },
): Promise<ConnectionItem> => {
  const isId = parseConfigId(connectionId) !== undefined;
  const item = isId ? await getConnection(db, tenantId, connectionId) : undefined;
  if (!item) throw notFound("connection", connectionId);
  return item;
};
