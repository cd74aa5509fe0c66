import type { TestProject } from "vitest/node";
import { startLocalStack } from "./local-stack.ts";

const unlimited = "1000000";

/** Starts the product with few functions per queue, so that a test can occupy them. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const stack = await startLocalStack({
    settings: {
      RATE_LIMIT_REQUESTS: unlimited,
      RATE_LIMIT_UNAUTHENTICATED_REQUESTS: unlimited,
      ALLOW_PRIVATE_ADDRESSES: "true",
      QUEUE_CONCURRENCY: "4",
      TENANT_CONCURRENCY: "2",
      // Reserves 46 functions for execute-agent.
      ACCOUNT_CONCURRENCY: "300",
    },
    clock: "stopped",
  });
  project.provide("stack", stack.address);
  return stack.close;
};
