import { unwrapBody } from "../../../client/client.ts";
import type { CreateLlmProviderBody } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import { usage } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { askSecret, canAsk } from "../../prompt.ts";
import { readSecret } from "../../read-secret.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  provider: string;
  type: CreateLlmProviderBody["type"];
  apiKeyFile: string | undefined;
  apiKeyEnv: string | undefined;
  displayName: string | undefined;
  baseUrl: string | undefined;
  region: string | undefined;
  defaultModel: string | undefined;
};

/** Runs `wharf providers create`. */
export const createProvider = async (input: Input, io: Io): Promise<void> => {
  const { provider: id, type, displayName, baseUrl, region, defaultModel } = input;
  if (type === "openai-compatible" && baseUrl === undefined) {
    throw usage("--base-url is required for openai-compatible.");
  }
  const apiKey = await readApiKey(input, io);
  const { client, tenant } = await openSession(input, io);
  const body = {
    ...{ id, type },
    ...(displayName !== undefined && { displayName }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(region !== undefined && { region }),
    ...(defaultModel !== undefined && { defaultModel }),
    ...(apiKey !== undefined && { apiKey }),
  };
  const provider = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/llm-providers", { params: { path: { tenant } }, body }),
  );
  if (input.json) return printJson(io, provider);
  const model = defaultModel === undefined ? " --model MODEL" : "";
  printMessage(io, `Created ${provider.id}. Next: wharf providers test ${provider.id}${model}`);
};

const needKey = ["openai", "anthropic", "google"];

const readApiKey = async (
  { type, apiKeyFile: file, apiKeyEnv: variable }: Input,
  io: Io,
): Promise<string | undefined> => {
  const apiKey = await readSecret({ name: "api-key", file, variable }, io);
  if (apiKey !== undefined || !needKey.includes(type)) return apiKey;
  const entered = canAsk(io) ? (await askSecret(io, "API key: ")).trim() : "";
  if (entered !== "") return entered;
  throw usage(
    `The type ${type} requires an API key: use --api-key-file FILE, --api-key-file - for standard input, or --api-key-env VARIABLE.`,
  );
};
