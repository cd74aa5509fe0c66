import { unwrapBody } from "../../../client/client.ts";
import type { LlmProvider, TestLlmProviderBody } from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";
import { type ProviderForm, toCreateBody, toUpdateBody } from "./provider-form.ts";

const providersPath = "/v1/tenants/{tenant}/llm-providers";
const providerPath = "/v1/tenants/{tenant}/llm-providers/{llmProvider}";

/** Lists the providers of language models. */
export const useProviders = () => {
  const client = useClient();
  const tenant = useTenant();
  return useList<LlmProvider>({
    queryKey: [tenant, "llm-providers"],
    getId: ({ id }) => id,
    read: (query) => unwrapBody(client.GET(providersPath, { params: { path: { tenant }, query } })),
  });
};

/** Creates a provider, or changes the one with this id. */
export const useSaveProvider = (llmProvider?: string) =>
  useAction(
    ["llm-providers"],
    async ({ client, tenant }, form: ProviderForm) => {
      if (llmProvider === undefined) {
        await client.POST(providersPath, {
          params: { path: { tenant } },
          body: toCreateBody(form),
        });
      } else {
        const path = { tenant, llmProvider };
        await client.PATCH(providerPath, { params: { path }, body: toUpdateBody(form) });
      }
    },
    { done: (_result, { displayName }) => `Saved ${displayName}.` },
  );

/** Deletes a provider. */
export const useDeleteProvider = (llmProvider: string) =>
  useAction(["llm-providers"], ({ client, tenant }) =>
    client.DELETE(providerPath, { params: { path: { tenant, llmProvider } } }),
  );

/** Sends a prompt to a model of a provider. */
export const useTestProvider = (llmProvider: string) =>
  useAction([], ({ client, tenant }, body: TestLlmProviderBody) =>
    unwrapBody(
      client.POST(`${providerPath}:test`, { params: { path: { tenant, llmProvider } }, body }),
    ),
  );
