import { unwrapBody } from "../../../client/client.ts";
import type {
  ApiKey,
  AuditEvent,
  GenerateApiKeyBody,
  RotateApiKeyBody,
  UpdateApiKeyBody,
} from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const keyPath = "/v1/tenants/{tenant}/apiKeys/{apiKey}";

/** Lists the API keys. */
export const useApiKeys = (includeRevoked: boolean) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<ApiKey>({
    queryKey: [tenant, "api-keys", { includeRevoked }],
    getId: ({ id }) => id,
    read: (page) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/apiKeys", {
          params: {
            path: { tenant },
            query: { ...page, includeRevoked: includeRevoked ? "true" : "false" },
          },
        }),
      ),
  });
};

/** Lists the history of an API key, most recent first. */
export const useKeyHistory = (apiKey: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<AuditEvent>({
    queryKey: [tenant, "api-keys", apiKey, "history"],
    getId: ({ id }) => id,
    read: (query) =>
      unwrapBody(
        client.GET(`${keyPath}/auditEvents`, { params: { path: { tenant, apiKey }, query } }),
      ),
  });
};

/** Creates a key. */
export const useCreateKey = () =>
  useAction(["api-keys"], ({ client, tenant }, body: GenerateApiKeyBody) =>
    unwrapBody(
      client.POST("/v1/tenants/{tenant}/apiKeys:generate", { params: { path: { tenant } }, body }),
    ),
  );

/** Replaces the secret of a key. */
export const useRotateKey = (apiKey: string) =>
  useAction(["api-keys"], ({ client, tenant }, body: RotateApiKeyBody) =>
    unwrapBody(client.POST(`${keyPath}:rotate`, { params: { path: { tenant, apiKey } }, body })),
  );

/** Changes name, scopes or expiry of a key. */
export const useUpdateKey = (apiKey: string) =>
  useAction(
    ["api-keys"],
    ({ client, tenant }, body: UpdateApiKeyBody) =>
      unwrapBody(client.PATCH(keyPath, { params: { path: { tenant, apiKey } }, body })),
    { done: ({ name }) => `Saved ${name}.` },
  );

/** Revokes a key. */
export const useRevokeKey = (apiKey: string) =>
  useAction(["api-keys"], ({ client, tenant }) =>
    client.DELETE(keyPath, { params: { path: { tenant, apiKey } } }),
  );
