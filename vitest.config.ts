import { defineConfig } from "vitest/config";

/** A condition that is polled may take as long as a busy machine needs. */
const expect = { poll: { timeout: 20_000 } };

export default defineConfig({
  test: {
    // Two work while another waits for the product.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "lib/**/*.test.ts",
            "functions/**/*.test.ts",
            "test/{infra,local,contract,cli}/**/*.test.ts",
          ],
          globalSetup: ["test/harness/engine-setup.ts"],
          expect,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "api",
          include: ["test/{api,suites}/**/*.test.ts"],
          globalSetup: ["test/harness/global-setup.ts"],
          expect,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "tenants",
          include: ["test/tenants/**/*.test.ts"],
          globalSetup: ["test/harness/tenants-setup.ts"],
          expect,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "executions",
          include: ["test/executions/**/*.test.ts"],
          globalSetup: ["test/harness/executions-setup.ts"],
          expect,
          testTimeout: 60_000,
          hookTimeout: 60_000,
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
