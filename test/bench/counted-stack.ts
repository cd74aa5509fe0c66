import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataFolder } from "../../infra/local/data-folder.ts";
import { startEngine } from "../../infra/local/storage/dynoxide.ts";
import { type Consumption, startCapacityProxy } from "./capacity-proxy.ts";
import { type BenchStack, startBenchStack } from "./stack.ts";

/** A stack whose storage calls are counted in capacity units. */
export type CountedStack = BenchStack & {
  /** The engine itself, for what is timed. */
  engine: string;
  /** The engine by way of the counter. */
  countedEngine: string;
  /** What was consumed since it was last asked. */
  take: () => Consumption;
};

/** Starts an engine, the counter in front of it, and the product over both. */
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
