import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { ScopeCatalog } from "../../../client/openapi.ts";
import { useSession } from "./session-context.ts";
import { useTenant } from "./tenant.ts";

/** Reads the scope catalog with the presets. */
export const useScopeCatalog = () => {
  const { client } = useSession();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "scopes"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/apiKeys/scopes", { params: { path: { tenant } } }),
      ),
  });
};

const listRoleScopes = (catalog: ScopeCatalog | undefined, role: string): readonly string[] =>
  catalog?.presets.find(({ name }) => name.toLowerCase() === role.toLowerCase())?.scopes ?? [];

/** Returns the scopes of the user's role; none until the catalog is loaded. */
export const useScopes = (): readonly string[] => {
  const { user } = useSession();
  return listRoleScopes(useScopeCatalog().data, user.role);
};

/** Reports whether the user's role has a scope. What it lacks is not shown; the API decides. */
export const useMay = (): ((scope: string) => boolean) => {
  const scopes = useScopes();
  return (scope) => scopes.includes(scope);
};
