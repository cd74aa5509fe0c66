import * as z from "zod";
import { ChosenId, Timestamp } from "../http/ids.ts";
import { pageOf } from "../http/paging.ts";

/** A language-model provider as the API shows it; never its credentials. */
export const LlmProvider = z
  .object({
    id: ChosenId,
    type: z.enum(["openai", "anthropic", "bedrock", "google", "openai-compatible", "echo"]),
    displayName: z.string(),
    baseUrl: z.string().nullable(),
    region: z.string().nullable(),
    defaultModel: z.string().nullable(),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "LlmProvider" });
export type LlmProvider = z.output<typeof LlmProvider>;

/** A page of providers. */
export const LlmProviderPage = pageOf(LlmProvider, "LlmProviderPage");
