import type { TestProject } from "vitest/node";
import { startLocalStack } from "./local-stack.ts";

/** Starts the product as its operator limits it: few requests and keys, no private addresses, a public URL. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const stack = await startLocalStack({
    settings: {
      RATE_LIMIT_REQUESTS: "12",
      RATE_LIMIT_UNAUTHENTICATED_REQUESTS: "4",
      // Does not end while the tests run.
      RATE_LIMIT_WINDOW_SECONDS: "86400",
      MAX_API_KEYS: "20",
      PUBLIC_URL: "https://agents.example.com/api",
    },
    clock: "stopped",
    table: "memory",
  });
  project.provide("stack", stack.address);
  return stack.close;
};
