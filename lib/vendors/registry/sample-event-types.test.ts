import { expect, test } from "vitest";
import { sampleEventTypes } from "./sample-event-types.ts";
import { samples } from "./samples.ts";

test("the list of sample events has every sample of every vendor, in its order", () => {
  const listed = Object.entries(samples).map(([id, { events }]) => [id, Object.keys(events)]);
  expect(sampleEventTypes).toEqual(Object.fromEntries(listed));
});
