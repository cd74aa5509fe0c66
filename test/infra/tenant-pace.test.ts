import { expect, test } from "vitest";
import { createPace } from "../../infra/tenant/pace.ts";

test("calls use at most the units of a second on average, and one second's after a pause", async () => {
  let now = 0;
  const pace = createPace(
    100,
    () => now,
    async (ms) => {
      now += ms;
    },
  );
  for (let call = 0; call < 10; call += 1) await pace(50);
  expect(now).toBe(5_000);
  now += 60_000;
  await pace(100);
  expect(now).toBe(65_000);
  await pace(100);
  expect(now).toBe(66_000);
});
