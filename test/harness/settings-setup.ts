import type { TestProject } from "vitest/node";
import { startLocalStack } from "./local-stack.ts";

const unlimited = "1000000";

/** Starts the product with few functions per queue, so that a test can occupy them, and few models of Bedrock. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const stack = await startLocalStack({
    settings: {
      RATE_LIMIT_REQUESTS: unlimited,
      RATE_LIMIT_UNAUTHENTICATED_REQUESTS: unlimited,
      ALLOW_PRIVATE_ADDRESSES: "true",
      BEDROCK_MODELS: "anthropic.claude-sonnet-4-5-20250929-v1:0, eu.amazon.nova-*",
      QUEUE_CONCURRENCY: "4",
      TENANT_CONCURRENCY: "2",
      // Reserves 25 functions for execute-agent, and 5 for deploy-or-test-revision.
      ACCOUNT_CONCURRENCY: "200",
    },
    clock: "stopped",
    table: "memory",
  });
  project.provide("stack", stack.address);
  project.provide("pageAddresses", {});
  return stack.close;
};
