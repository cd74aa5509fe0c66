import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { defineConfig } from "vitest/config";
import { shareCompiledCode } from "./test/harness/compile-cache.ts";
import { isNightly } from "./test/harness/runs.ts";
import { quiet } from "./test/harness/verbose.ts";

// As in `npm start`: loading a function fills a smaller young generation several times.
setFlagsFromString("--min-semi-space-size=4");

shareCompiledCode();

/** A condition that is polled may take as long as a busy machine needs. */
const expect = { poll: { timeout: 20_000 } };

/** Each look at a condition of the running product is a request. */
const expectOfProduct = { poll: { timeout: 20_000, interval: 150 } };

/** Files of one worker share what is imported: half of the time of most files would be importing it again. */
const shared = { isolate: false, unstubEnvs: true, unstubGlobals: true } as const;

/** Tests that need a process of their own: settings, which are read once, or output that is written to the console. */
const ownProcess = [
  "lib/edge/{consumer,busy-storage,limit-concurrency,public-endpoint}.test.ts",
  "lib/edge/idempotency/idempotency.test.ts",
  "lib/platform/runtime/metrics.test.ts",
  "test/infra/build.test.ts",
  "test/infra/clone.test.ts",
];

/** Starts the sandbox's threads from compiled modules, as a function does. */
const compiledSandbox = [
  {
    find: /^\.\/resolve-module\.ts$/,
    replacement: join(import.meta.dirname, "test/harness/compiled-modules.ts"),
  },
];

export default defineConfig({
  test: {
    tags: [
      {
        name: "nightly",
        description: "Not in `npm test`, which takes minutes: see docs/developing.md",
      },
    ],
    // Two work while others wait for the product.
    maxWorkers: 4,
    projects: [
      {
        resolve: { alias: compiledSandbox },
        test: {
          name: "unit",
          include: [
            "{cli,client,lib}/**/*.test.ts",
            "functions/**/*.test.ts",
            "test/{infra,local,contract,cli}/**/*.test.ts",
            "test/bench/costs/*.test.ts",
          ],
          exclude: ownProcess,
          globalSetup: ["test/harness/engine-setup.ts", "test/harness/sandbox-setup.ts"],
          env: quiet,
          expect,
          // At night, properties are tested many times.
          testTimeout: isNightly ? 900_000 : 120_000,
          // The first test of the templates synthesizes them.
          hookTimeout: 180_000,
          ...shared,
        },
      },
      {
        test: {
          name: "process",
          include: ownProcess,
          globalSetup: ["test/harness/engine-setup.ts"],
          env: quiet,
          expect,
          testTimeout: 120_000,
          // Copies the tree.
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "api",
          include: ["test/{api,suites}/**/*.test.ts"],
          globalSetup: ["test/harness/stack-setup.ts"],
          env: quiet,
          expect: expectOfProduct,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          ...shared,
        },
      },
      {
        test: {
          name: "settings",
          include: ["test/{settings,tenants}/**/*.test.ts"],
          globalSetup: ["test/harness/stack-setup.ts"],
          expect: expectOfProduct,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          ...shared,
        },
      },
      {
        test: {
          name: "limits",
          include: ["test/limits/**/*.test.ts"],
          globalSetup: ["test/harness/stack-setup.ts"],
          env: quiet,
          expect: expectOfProduct,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          ...shared,
        },
      },
      {
        test: {
          name: "executions",
          include: ["test/executions/**/*.test.ts"],
          globalSetup: ["test/harness/stack-setup.ts"],
          expect: expectOfProduct,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          ...shared,
        },
      },
      {
        test: {
          name: "budgets",
          include: ["test/bench/*.test.ts"],
          // After the others in the nightly run, which counts what a busy machine changes, too.
          sequence: { groupOrder: isNightly ? 1 : 0 },
          testTimeout: 60_000,
          // All units of work are done before the tests, which look at what they consumed.
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: "docs",
          include: ["test/docs/**/*.test.ts"],
          globalSetup: ["test/harness/stack-setup.ts"],
          expect: expectOfProduct,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "console",
          include: ["test/console/**/*.test.ts"],
          globalSetup: ["test/harness/stack-setup.ts"],
          expect: expectOfProduct,
          testTimeout: 180_000,
          // Starts the product, builds the console with a low priority and unpacks the browser.
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: "faults",
          include: ["test/faults/**/*.test.ts"],
          testTimeout: 60_000,
          // The work of all scenarios is done before the tests, which look at its outcome.
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
