import { bodyOf } from "../../../client/client.ts";
import type { Asset } from "../../../client/openapi.ts";
import { useTenant } from "../app/tenant.ts";
import { useClient } from "../session/session-context.ts";
import { useList } from "../shared/use-list.ts";

/** Lists the assets that can subscribe. */
export const useAssets = () => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Asset>({
    queryKey: [tenant, "assets"],
    idOf: ({ id }) => id,
    read: (query) =>
      bodyOf(client.GET("/v1/tenants/{tenant}/assets", { params: { path: { tenant }, query } })),
  });
};
