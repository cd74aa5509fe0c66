import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProvidedContext } from "vitest";
import type { TestProject } from "vitest/node";
import { type BotFramework, startBotFramework } from "./chat-apis/bot-framework.ts";
import { type LocalStackAddress, startLocalStack } from "./local-stack.ts";
import { type SourceUrls, startConfiguredSources } from "./source-apis/configured-sources.ts";
import { startPageSources } from "./source-apis/page-sources.ts";

declare module "vitest" {
  interface ProvidedContext {
    stack: LocalStackAddress;
    sources: SourceUrls;
    botFramework: BotFramework;
    /** URLs of services outside in pages of docs, and those of their fakes. */
    pageAddresses: Record<string, string>;
  }
}

type SharedStack = {
  provided: Pick<ProvidedContext, "stack" | "sources" | "botFramework" | "pageAddresses">;
  close: () => Promise<void>;
};

const unlimited = "1000000";

/** US dollars per million tokens for the models of the fake server. */
const prices = {
  "openai-compatible/priced": { input: 100, output: 200, cached: 10 },
  "openai-compatible/dear": { input: 1_000, output: 1_000 },
};

const start = async (): Promise<SharedStack> => {
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
    provided: {
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

type Shared = { users: number; starting: Promise<SharedStack> };

/** Projects load this module separately, so shared state is a property of the process. */
const place: typeof globalThis & { wharfStack?: Shared } = globalThis;

/** Starts the product once for all projects that use it; it stops after the last of them. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  place.wharfStack ??= { users: 0, starting: start() };
  const shared = place.wharfStack;
  shared.users += 1;
  const { provided, close } = await shared.starting;
  project.provide("stack", provided.stack);
  project.provide("sources", provided.sources);
  project.provide("botFramework", provided.botFramework);
  project.provide("pageAddresses", provided.pageAddresses);
  return async () => {
    shared.users -= 1;
    if (shared.users === 0) await close();
  };
};
