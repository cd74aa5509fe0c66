import { unwrapBody } from "../../../client/client.ts";
import { showCost, showDuration } from "../../amounts.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage, printValue } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  provider: string;
  model: string | undefined;
  prompt: string | undefined;
};

/** Runs `wharf providers test`. */
export const testProvider = async (input: Input, io: Io): Promise<void> => {
  const { provider: llmProvider, model, prompt } = input;
  const { client, tenant } = await openSession(input, io);
  const result = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/llm-providers/{llmProvider}:test", {
      params: { path: { tenant, llmProvider } },
      body: { ...(model !== undefined && { model }), ...(prompt !== undefined && { prompt }) },
    }),
  );
  if (input.json) return printJson(io, result);
  printValue(io, result.text);
  const { inputTokens, outputTokens } = result.usage;
  const facts = [
    showDuration(result.latencyMs),
    `${inputTokens} + ${outputTokens} tokens`,
    `cost ${showCost(result.totalCost, result.priced)}`,
  ];
  printMessage(io, `${result.providerId}/${result.modelId}: ${facts.join(", ")}`);
};
