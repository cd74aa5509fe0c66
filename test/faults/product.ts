import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { FaultProxy } from "./fault-proxy.ts";

const Message = z.discriminatedUnion("type", [
  z.object({ type: z.literal("services"), services: z.string() }),
  z.object({ type: z.literal("line"), line: z.string() }),
  z.object({
    type: z.literal("ready"),
    baseUrl: z.string(),
    services: z.string(),
    secret: z.string(),
    dynamodbEndpoint: z.string(),
    table: z.string(),
    userToken: z.string(),
  }),
]);

/** Where a running product is. */
export type ProductAddress = Omit<Extract<z.output<typeof Message>, { type: "ready" }>, "type">;

/** The product in a process of its own, behind a fault proxy, on one data folder. */
export type Product = {
  /** Where it is since its last start. */
  address: () => ProductAddress;
  /** Number of kills. */
  kills: () => number;
  /** The last lines that it printed, such as functions that timed out. */
  printed: () => readonly string[];
  /** The time by its clock, Unix milliseconds. */
  now: () => number;
  /** Moves its clock forward, by milliseconds. */
  moveClock: (by: number) => void;
  /** Kills it with SIGKILL and starts it again. */
  killAndRestart: () => Promise<void>;
  close: () => Promise<void>;
};

const maxPrinted = 20;
const unlimited = "100000000";
/** US dollars per million tokens of the stand-in model. */
const prices = { "openai-compatible/priced": { input: 100, output: 200, cached: 10 } };

/** Starts the product behind a proxy. */
export const startProduct = async (proxy: FaultProxy): Promise<Product> => {
  const directory = mkdtempSync(join(tmpdir(), "wharf-faults-"));
  const pricesFile = join(directory, "prices.json");
  writeFileSync(pricesFile, JSON.stringify(prices));
  const environment = {
    ...process.env,
    PORT: "0",
    WHARF_DATA_DIR: join(directory, "data"),
    FAULT_PROXY: proxy.endpoint,
    ALLOW_PRIVATE_ADDRESSES: "true",
    RATE_LIMIT_REQUESTS: unlimited,
    RATE_LIMIT_INBOUND_REQUESTS: unlimited,
    RATE_LIMIT_UNAUTHENTICATED_REQUESTS: unlimited,
    MODEL_PRICES: pricesFile,
  };
  const printed: string[] = [];
  const print = (line: string): void => {
    printed.splice(0, printed.length - maxPrinted + 1);
    printed.push(line);
  };
  let kills = 0;
  let aheadMs = 0;
  const start = async (): Promise<{ child: ChildProcess; address: ProductAddress }> => {
    const child = fork(new URL("run-product.ts", import.meta.url), {
      env: { ...environment, CLOCK_AHEAD_MS: String(aheadMs) },
      execArgv: [...process.execArgv, "--import", import.meta.resolve("./product-clock.ts")],
    });
    const exit = once(child, "exit").then(() => {
      throw new Error("the product ended by itself");
    });
    exit.catch(() => undefined);
    const ready = Promise.withResolvers<ProductAddress>();
    child.on("message", (sent) => {
      const message = Message.parse(sent);
      if (message.type === "line") return print(message.line);
      proxy.attach(message.services);
      if (message.type === "services") return;
      const { type: _, ...address } = message;
      ready.resolve(address);
    });
    return { child, address: await Promise.race([ready.promise, exit]) };
  };
  const stop = async ({ child }: { child: ChildProcess }): Promise<void> => {
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  let running = await start();
  return {
    address: () => running.address,
    kills: () => kills,
    printed: () => printed,
    now: () => Date.now() + aheadMs,
    moveClock: (by) => {
      aheadMs += by;
      running.child.send({ aheadMs });
    },
    killAndRestart: async () => {
      kills += 1;
      await stop(running);
      running = await start();
    },
    close: async () => {
      await stop(running);
      rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
};
