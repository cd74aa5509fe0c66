import type { TestProject } from "vitest/node";
import { type LocalStackAddress, startLocalStack } from "./local-stack.ts";

declare module "vitest" {
  interface ProvidedContext {
    stack: LocalStackAddress;
  }
}

const unlimited = "1000000";

/** Starts the product once for all black-box tests. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const stack = await startLocalStack({
    settings: { RATE_LIMIT_REQUESTS: unlimited, RATE_LIMIT_UNAUTHENTICATED_REQUESTS: unlimited },
  });
  project.provide("stack", stack.address);
  return stack.close;
};
