import { describe, expect, test } from "vitest";
import { didYouMean, nearestName } from "./nearest-name.ts";

describe("nearestName", () => {
  test.each([
    ["concurency", ["concurrency", "items"], "concurrency"],
    ["retrys", ["retry", "type"], "retry"],
    ["paramsMetadata", ["parametersMetadata", "promptConfigs"], "parametersMetadata"],
    ["ctiy", ["city", "country"], "city"],
    ["display_name", ["displayName"], "displayName"],
    ["Status", ["status"], "status"],
    ["nobody", ["hello", "triage"], undefined],
    ["x", ["y", "id"], undefined],
    ["a".repeat(1_000), ["a"], undefined],
  ])("of %s among %j is %s", (name, known, nearest) => {
    expect(nearestName(name, known)).toBe(nearest);
  });
});

test("a detail names the nearest name, or stays as it is", () => {
  expect(didYouMean("is unknown", "retrys", ["retry"])).toBe('is unknown; did you mean "retry"?');
  expect(didYouMean("is unknown", "colour", ["retry"])).toBe("is unknown");
});
