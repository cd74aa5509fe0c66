import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BotFramework, startBotFramework } from "./chat-apis/bot-framework.ts";
import { type LocalStackAddress, startLocalStack } from "./local-stack.ts";
import { type SourceUrls, startConfiguredSources } from "./source-apis/configured-sources.ts";
import { startPageSources } from "./source-apis/page-sources.ts";

/** Plain data to connect to a shared stack and its fakes in another process. */
export type SharedAddresses = {
  stack: LocalStackAddress;
  /** URLs of services outside in pages of docs, and those of their fakes. */
  pageAddresses: Record<string, string>;
  sources?: SourceUrls;
  botFramework?: BotFramework;
};

/** A stack that the tests of several files use. */
export type SharedStack = { addresses: SharedAddresses; close: () => Promise<void> };

const unlimited = "1000000";

/** US dollars per million tokens for the models of the fake server. */
const prices = {
  "openai-compatible/priced": { input: 100, output: 200, cached: 10 },
  "openai-compatible/dear": { input: 1_000, output: 1_000 },
};

/** Starts the product without limits, with fakes of the services that its settings name. */
const startUnlimited = async (): Promise<SharedStack> => {
  const pricesFile = join(tmpdir(), `wharf-prices-${process.pid}.json`);
  writeFileSync(pricesFile, JSON.stringify(prices));
  const [sources, pageSources, botFramework] = await Promise.all([
    startConfiguredSources(),
    startPageSources(),
    startBotFramework(),
  ]);
  const stack = await startLocalStack({
    table: "memory",
    settings: {
      RATE_LIMIT_REQUESTS: unlimited,
      RATE_LIMIT_UNAUTHENTICATED_REQUESTS: unlimited,
      ACCOUNT_CONCURRENCY: "10000",
      ALLOW_PRIVATE_ADDRESSES: "true",
      MODEL_PRICES: pricesFile,
      BOT_FRAMEWORK_OPENID_URL: botFramework.address.openIdUrl,
      ...sources.settings,
      ...pageSources.settings,
    },
  });
  return {
    addresses: {
      stack: stack.address,
      sources: sources.urls,
      botFramework: botFramework.address,
      pageAddresses: pageSources.addresses,
    },
    close: async () => {
      await stack.close();
      await Promise.all([sources.close(), pageSources.close(), botFramework.close()]);
      rmSync(pricesFile);
    },
  };
};

const startStopped = async (settings: Record<string, string>): Promise<SharedStack> => {
  const stack = await startLocalStack({ settings, clock: "stopped", table: "memory" });
  return { addresses: { stack: stack.address, pageAddresses: {} }, close: stack.close };
};

/** Starts the product with few functions per queue, so that a test can occupy them, and few models of Bedrock. */
const startFewFunctions = () =>
  startStopped({
    RATE_LIMIT_REQUESTS: unlimited,
    RATE_LIMIT_UNAUTHENTICATED_REQUESTS: unlimited,
    ALLOW_PRIVATE_ADDRESSES: "true",
    BEDROCK_MODELS: "anthropic.claude-sonnet-4-5-20250929-v1:0, eu.amazon.nova-*",
    QUEUE_CONCURRENCY: "4",
    TENANT_CONCURRENCY: "2",
    // Reserves 25 functions for execute-agent, and 5 for deploy-or-test-revision.
    ACCOUNT_CONCURRENCY: "200",
  });

/** Starts the product as its operator limits it: few requests and keys, no private addresses, a public URL. */
const startLimited = () =>
  startStopped({
    RATE_LIMIT_REQUESTS: "12",
    RATE_LIMIT_UNAUTHENTICATED_REQUESTS: "4",
    // Does not end while the tests run.
    RATE_LIMIT_WINDOW_SECONDS: "86400",
    MAX_API_KEYS: "20",
    PUBLIC_URL: "https://agents.example.com/api",
  });

/** The stacks that tests share, by the name of a project; the other projects share `unlimited`. */
export const sharedStacks: Readonly<Record<string, () => Promise<SharedStack>>> = {
  unlimited: startUnlimited,
  settings: startFewFunctions,
  limits: startLimited,
};
