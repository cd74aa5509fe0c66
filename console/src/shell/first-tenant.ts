import { unwrapBody } from "../../../client/client.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import type { Session } from "../session/session.ts";

const lastTenantKey = "wharf.tenant";

/** Remembers the tenant that was opened last. */
export const rememberTenant = (tenant: string): void => localStorage.setItem(lastTenantKey, tenant);

/**
 * Returns the tenant to open first: the last one, the deployment's, or the first that the user may list; undefined if
 * there is none.
 */
export const firstTenant = async ({ client, config }: Session): Promise<string | undefined> => {
  const known = localStorage.getItem(lastTenantKey) ?? undefined;
  try {
    const tenants = await unwrapBody(client.GET("/v1/tenants"));
    const slugs = tenants.map(({ slug }) => slug);
    return [known, config.tenant].find((slug) => slug && slugs.includes(slug)) ?? slugs[0];
  } catch (error) {
    if (error instanceof ProblemError && error.status === 403) return known ?? config.tenant;
    throw error;
  }
};
