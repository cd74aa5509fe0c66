import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { LlmModel } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";

const keptMilliseconds = 300_000;

const noModels: readonly LlmModel[] = [];

/** Lists a provider's models; none while they are read, and of a provider that cannot list them. */
export const useModels = (llmProvider: string | undefined): readonly LlmModel[] => {
  const client = useClient();
  const tenant = useTenant();
  const mayRead = useMay()("llm_providers:read");
  const { data } = useQuery({
    queryKey: [tenant, "llm-providers", llmProvider, "models"],
    queryFn: () =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/llm-providers/{llmProvider}/models", {
          params: { path: { tenant, llmProvider: llmProvider ?? "" } },
        }),
      ),
    enabled: mayRead && llmProvider !== undefined && llmProvider !== "",
    staleTime: keptMilliseconds,
    retry: false,
  });
  return data?.items ?? noModels;
};
