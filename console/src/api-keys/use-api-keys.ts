import { useMutation, useQueryClient } from "@tanstack/react-query";
import { bodyOf, type WharfClient } from "../../../client/client.ts";
import type {
  ApiKey,
  AuditEvent,
  GenerateApiKeyBody,
  IssuedApiKey,
  RotateApiKeyBody,
  UpdateApiKeyBody,
} from "../../../client/openapi.ts";
import { useTenant } from "../app/tenant.ts";
import { useClient } from "../session/session-context.ts";
import { useList } from "../shared/use-list.ts";

const keyPath = "/v1/tenants/{tenant}/apiKeys/{apiKey}";

/** Lists the API keys. */
export const useApiKeys = (includeRevoked: boolean) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<ApiKey>({
    queryKey: [tenant, "api-keys", { includeRevoked }],
    idOf: ({ id }) => id,
    read: (page) =>
      bodyOf(
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
    idOf: ({ id }) => id,
    read: (query) =>
      bodyOf(client.GET(`${keyPath}/auditEvents`, { params: { path: { tenant, apiKey }, query } })),
  });
};

/** A change of keys, after which lists are read again. */
const useKeyChange = <Input, Result>(
  change: (client: WharfClient, tenant: string, input: Input) => Promise<Result>,
) => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(client, tenant, input),
    onSuccess: () => cache.invalidateQueries({ queryKey: [tenant, "api-keys"] }),
    // Secrets of created keys are not kept.
    gcTime: 0,
  });
};

/** Creates a key. */
export const useCreateKey = () =>
  useKeyChange<GenerateApiKeyBody, IssuedApiKey>((client, tenant, body) =>
    bodyOf(
      client.POST("/v1/tenants/{tenant}/apiKeys:generate", { params: { path: { tenant } }, body }),
    ),
  );

/** Replaces the secret of a key. */
export const useRotateKey = (apiKey: string) =>
  useKeyChange<RotateApiKeyBody, IssuedApiKey>((client, tenant, body) =>
    bodyOf(client.POST(`${keyPath}:rotate`, { params: { path: { tenant, apiKey } }, body })),
  );

/** Changes name, scopes or expiry of a key. */
export const useUpdateKey = (apiKey: string) =>
  useKeyChange<UpdateApiKeyBody, ApiKey>((client, tenant, body) =>
    bodyOf(client.PATCH(keyPath, { params: { path: { tenant, apiKey } }, body })),
  );

/** Revokes a key. */
export const useRevokeKey = (apiKey: string) =>
  useKeyChange<void, unknown>((client, tenant) =>
    client.DELETE(keyPath, { params: { path: { tenant, apiKey } } }),
  );
