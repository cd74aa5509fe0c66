import { findPreset } from "../../lib/platform/auth/scopes.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { newUuid, type Runtime } from "../../lib/platform/runtime/runtime.ts";
import { tooManyKeys } from "../../lib/tenancy/api-key/key-count.ts";
import { newApiKey } from "../../lib/tenancy/api-key/new-api-key.ts";
import { listLiveApiKeys, putNewApiKey } from "../../lib/tenancy/api-key/store.ts";
import { createTenant } from "../../lib/tenancy/tenant/create-tenant.ts";
import type { Tenant } from "../../lib/tenancy/tenant/schemas.ts";
import { findTenantOwner, listTenants } from "../../lib/tenancy/tenant/store.ts";
import { CommandError } from "../shell/command.ts";
import type { UserDirectory } from "./users.ts";

/** Input of a first deployment. */
export type BootstrapInput = {
  organizationId: string;
  tenant: { slug: string; displayName: string };
  email: string;
  role: string;
  keyName: string;
  /** Whether another key is created when the organization has one of this name. */
  createsAnotherKey: boolean;
};

/** Result: `key` is null unless it was just created. */
export type Bootstrapped = {
  tenant: Tenant;
  isNewTenant: boolean;
  user: string;
  key: string | null;
};

/**
 * Ensures an organization's tenant, first user and first admin key; can be repeated. Throws a CommandError when the
 * tenant's slug or the user belongs to another organization.
 */
export const bootstrapOrganization = async (
  deps: { db: Database; runtime: Runtime; prefix: string; users: UserDirectory },
  input: BootstrapInput,
): Promise<Bootstrapped> => {
  const { organizationId, email, role } = input;
  await requireOwnSlug(deps.db, input);
  const { subject, outcome } = await deps.users({ email, organizationId, role });
  const principal = {
    type: "User" as const,
    id: subject,
    organizationId,
    scopes: findPreset("Admin") ?? [],
    userIds: [subject],
    email,
    apiKey: null,
  };
  const { tenant, isNewTenant } = await ensureTenant(deps, principal, input);
  const key = await ensureKey(deps, principal, input);
  return { tenant, isNewTenant, user: outcome, key };
};

type Deps = { db: Database; runtime: Runtime; prefix: string };
type Principal = Parameters<typeof newApiKey>[0]["principal"];

/** Checks the slug before a user is invited. */
const requireOwnSlug = async (
  db: Database,
  { organizationId, tenant: { slug } }: BootstrapInput,
): Promise<void> => {
  const owner = await findTenantOwner(db, slug);
  if (owner === undefined || owner.organizationId === organizationId) return;
  throw new CommandError(
    `The tenant "${slug}" belongs to another organization. Choose another --tenant, or correct --organization.`,
  );
};

const ensureTenant = async (
  { db, runtime }: Deps,
  principal: Principal,
  { organizationId, tenant: wanted }: BootstrapInput,
): Promise<{ tenant: Tenant; isNewTenant: boolean }> => {
  const found = (await listTenants(db, organizationId)).find(({ slug }) => slug === wanted.slug);
  if (found) return { tenant: found, isNewTenant: false };
  const ctx = { ...runtime, principal };
  return { tenant: await createTenant({ db }, { ctx, body: wanted }), isNewTenant: true };
};

const ensureKey = async (
  { db, runtime, prefix }: Deps,
  principal: Principal,
  { organizationId, keyName, createsAnotherKey }: BootstrapInput,
): Promise<string | null> => {
  if (!createsAnotherKey && (await hasKey(db, organizationId, keyName, runtime.clock()))) {
    return null;
  }
  const ctx = {
    ...runtime,
    principal,
    requestId: newUuid(runtime),
    sourceIp: "",
    userAgent: "bootstrap",
    method: "",
    path: "",
  };
  const wanted = { name: keyName, scopes: [...principal.scopes], expiresAt: null };
  const { item, key, event } = newApiKey(ctx, prefix, wanted);
  if ((await putNewApiKey(db, item, event)) === "full") throw tooManyKeys();
  return key;
};

const hasKey = async (
  db: Database,
  organizationId: string,
  name: string,
  now: number,
): Promise<boolean> => {
  let skip = 0;
  for (;;) {
    const { items, nextPageToken } = await listLiveApiKeys(db, organizationId, { skip, size: 200 });
    const isLive = items.some(
      (key) => key.name === name && (key.expiresAt === null || key.expiresAt > now),
    );
    if (isLive || nextPageToken === null) return isLive;
    skip = Number(nextPageToken);
  }
};
