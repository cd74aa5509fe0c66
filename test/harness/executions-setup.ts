import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type BotFramework, startBotFramework } from "./chat-apis/bot-framework.ts";
import { startLocalStack } from "./local-stack.ts";
import { type SourceUrls, startConfiguredSources } from "./source-apis/configured-sources.ts";

declare module "vitest" {
  interface ProvidedContext {
    sources: SourceUrls;
    botFramework: BotFramework;
  }
}

const unlimited = "1000000";

/** US dollars per million tokens for the models of the fake server. */
const prices = {
  "openai-compatible/priced": { input: 100, output: 200, cached: 10 },
  "openai-compatible/dear": { input: 1_000, output: 1_000 },
};

/** Starts the product once, for tests whose agents call fakes on this machine. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const file = join(tmpdir(), `wharf-prices-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(prices));
  const sources = await startConfiguredSources();
  const botFramework = await startBotFramework();
  const stack = await startLocalStack({
    settings: {
      RATE_LIMIT_REQUESTS: unlimited,
      RATE_LIMIT_UNAUTHENTICATED_REQUESTS: unlimited,
      ACCOUNT_CONCURRENCY: "10000",
      ALLOW_PRIVATE_ADDRESSES: "true",
      MODEL_PRICES: file,
      BOT_FRAMEWORK_OPENID_URL: botFramework.address.openIdUrl,
      ...sources.settings,
    },
  });
  project.provide("stack", stack.address);
  project.provide("sources", sources.urls);
  project.provide("botFramework", botFramework.address);
  return async () => {
    await stack.close();
    await sources.close();
    await botFramework.close();
  };
};
