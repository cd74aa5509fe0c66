import { expect, test } from "vitest";
import { awsRetries, withinCallersTime } from "./aws-retry.ts";

const full = Object.assign(new Error("database or disk is full"), {
  name: "InternalServerError",
  $metadata: { httpStatusCode: 500 },
  cause: undefined,
});

/** Makes one call after the other; an attempt fails after 20 ms. Returns the calls' durations. */
const failCalls = async (count: number): Promise<number[]> => {
  let now = 1_000_000;
  const retries = awsRetries(() => now);
  const failCall = async (): Promise<number> => {
    const start = now;
    let token = await retries.acquireInitialRetryToken();
    try {
      for (;;) {
        now += 20;
        token = await retries.refreshRetryTokenForRetry(token, {
          error: full,
          errorType: "SERVER_ERROR",
        });
        now += token.getRetryDelay();
      }
    } catch (error) {
      expect(error).toBe(full);
    }
    return now - start;
  };
  const times: number[] = [];
  for (let call = 0; call < count; call += 1) times.push(await failCall());
  return times;
};

test("the calls of a request to storage that stays unavailable are retried for 5 s in total", async () => {
  const [first = 0, ...others] = await withinCallersTime(1_029_000, () =>
    withinCallersTime(1_029_000, () => failCalls(4)),
  );
  expect(first).toBeGreaterThan(3_900);
  expect(first).toBeLessThanOrEqual(5_020);
  expect(first + others.reduce((sum, time) => sum + time, 0)).toBeLessThanOrEqual(5_100);
});

test("a successful retry resets the time that calls of its request may fail", async () => {
  const times = await withinCallersTime(1_029_000, async () => {
    const [failed = 0] = await failCalls(1);
    const retries = awsRetries();
    const token = await retries.acquireInitialRetryToken();
    retries.recordSuccess(token);
    const [refused = 0] = await failCalls(1);
    retries.recordSuccess({ getRetryCount: () => 1 });
    const [again = 0] = await failCalls(1);
    return { failed, refused, again };
  });
  expect(times.refused).toBeLessThan(1_000);
  expect(times.again).toBeGreaterThan(3_900);
});

test("calls without a waiting caller are retried for 8 s", async () => {
  for (const time of await failCalls(2)) {
    expect(time).toBeGreaterThan(6_900);
    expect(time).toBeLessThanOrEqual(8_020);
  }
});
