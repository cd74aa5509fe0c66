import { expect, test, vi } from "vitest";
import { countOccurrence, recordSeconds } from "./metrics.ts";

test("metrics of all functions have the same dimension, in the namespace of the installation", () => {
  vi.stubEnv("METRICS_NAMESPACE", "Staging");
  vi.stubEnv("POWERTOOLS_SERVICE_NAME", "run-execution");
  vi.stubEnv("POWERTOOLS_DEV", "true");
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
  const lines: unknown[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => lines.push(JSON.parse(line)));
  countOccurrence("TenantSlotsFailed");
  recordSeconds("DeferredWorkAge", 90);
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  const written = (name: string, unit: string) => ({
    CloudWatchMetrics: [
      {
        Namespace: "Staging",
        Dimensions: [["service"]],
        Metrics: [{ Name: name, Unit: unit }],
      },
    ],
    Timestamp: expect.any(Number),
  });
  expect(lines).toEqual([
    { _aws: written("TenantSlotsFailed", "Count"), service: "all", TenantSlotsFailed: 1 },
    { _aws: written("DeferredWorkAge", "Seconds"), service: "all", DeferredWorkAge: 90 },
  ]);
});
