import type { ModelProvider } from "../../engine/models/model.ts";
import { toCounts } from "../../engine/models/sums.ts";
import { StepError } from "../../engine/step-error.ts";
import { notFound, validationFailed } from "../../platform/http/problems.ts";
import type { TenantContext } from "../tenant/context.ts";
import { toProviderProblem } from "./provider-problem.ts";
import { type ProviderDeps, providerRegistry } from "./registry.ts";
import type { LlmProviderTest, TestLlmProviderBody } from "./schemas.ts";

const defaultPrompt = "Answer with the single word: ok";
/** Reserved for sending the response. */
const responseReserveMs = 3_000;

/**
 * Sends a prompt to a model of a provider. Throws 404, 400 when no model is named and there is no default,
 * 502 when the provider failed and 504 when it did not respond in time.
 */
export const testLlmProvider = async (
  deps: ProviderDeps,
  {
    ctx,
    providerId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant" | "respondBy">;
    providerId: string;
    body: TestLlmProviderBody;
  },
): Promise<LlmProviderTest> => {
  const provider = await providerRegistry({ ...deps, tenantId: ctx.tenant.id }).resolve(providerId);
  if (!provider) throw notFound("language-model provider", providerId);
  const modelId = body?.model ?? provider.defaultModel;
  if (modelId === undefined) {
    const detail = "is required: the provider has no default model; name one, or set defaultModel";
    throw validationFailed([{ pointer: "/model", detail }]);
  }
  const startedAt = ctx.clock();
  const signal = AbortSignal.timeout(Math.max(0, ctx.respondBy - responseReserveMs - startedAt));
  const prompt = body?.prompt ?? defaultPrompt;
  const { message, usage } = await ask(provider, { modelId, prompt, providerId, signal });
  const latencyMs = ctx.clock() - startedAt;
  const { cost, priced } = await provider.price(modelId, usage);
  const { text } = message;
  return {
    ok: true,
    providerId,
    modelId,
    text,
    usage: toCounts(usage),
    totalCost: cost.totalCost,
    priced,
    latencyMs,
  };
};

const ask = async (
  provider: ModelProvider,
  call: { modelId: string; prompt: string; providerId: string; signal: AbortSignal },
) => {
  const { modelId, prompt, providerId, signal } = call;
  try {
    return await provider.generate({
      model: modelId,
      messages: [{ role: "user", text: prompt }],
      parameters: {},
      signal,
    });
  } catch (error) {
    if (error instanceof StepError && !signal.aborted) {
      throw validationFailed([{ pointer: "/model", detail: error.message }]);
    }
    throw toProviderProblem(error, providerId, signal);
  }
};
