import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataFolder } from "../../infra/local/data-folder.ts";
import { startEngine } from "../../infra/local/storage/dynoxide.ts";
import { type Consumption, startCapacityProxy } from "./capacity-proxy.ts";
import { type BenchStack, startBenchStack } from "./stack.ts";

/** A stack that counts the capacity units of its storage calls. */
export type CountedStack = BenchStack & {
  /** Endpoint of the engine, for measuring time. */
  engine: string;
  /** Endpoint of the counting proxy. */
  countedEngine: string;
  /** Returns the consumption since the last call. */
  take: () => Consumption;
};

/** Starts an engine, the counting proxy and the product. */
export const startCountedStack = async (): Promise<CountedStack> => {
  const directory = mkdtempSync(join(tmpdir(), "wharf-bench-"));
  const engine = await startEngine(openDataFolder(directory));
  const proxy = await startCapacityProxy(engine.endpoint);
  const stack = await startBenchStack({ DYNAMODB_ENDPOINT: proxy.endpoint });
  return {
    ...stack,
    engine: engine.endpoint,
    countedEngine: proxy.endpoint,
    take: proxy.take,
    close: async () => {
      await stack.close();
      await proxy.close();
      await engine.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
