import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findResponseTime, openInTime } from "./call-time.ts";

const startedAt = Date.UTC(2026, 10, 28);
const ctx = {
  startedAt,
  respondBy: startedAt + 29_000,
  deadline: startedAt + 150_000,
  clock: () => Date.now(),
};

describe("the response to a request is due", () => {
  const events = { open: vi.fn() };

  test("within API Gateway's time for a client without a stream", () => {
    expect(findResponseTime({ ctx, events: undefined })).toBe(startedAt + 27_000);
  });

  test("before the official client stops waiting for a client with a stream", () => {
    expect(findResponseTime({ ctx, events })).toBe(startedAt + 48_000);
  });

  test("before the function times out", () => {
    const short = { ...ctx, deadline: startedAt + 40_000 };
    expect(findResponseTime({ ctx: short, events })).toBe(startedAt + 38_000);
  });
});

describe("a response", () => {
  beforeEach(() => void vi.useFakeTimers({ now: startedAt + 3_000 }));
  afterEach(() => void vi.useRealTimers());

  test("begins 20 s after the request when there is no result by then", async () => {
    const open = vi.fn();
    const work = Promise.withResolvers<string>();
    const response = openInTime({ ctx, events: { open } }, () => work.promise);
    await vi.advanceTimersByTimeAsync(16_999);
    expect(open).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(open).toHaveBeenCalledOnce();
    work.resolve("result");
    expect(await response).toBe("result");
  });

  test.each([
    ["a result", () => Promise.resolve("result")],
    ["an error", () => Promise.reject(new Error("failed"))],
  ])("does not begin as a stream when there is %s before", async (_, work) => {
    const open = vi.fn();
    await Promise.allSettled([openInTime({ ctx, events: { open } }, work)]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(open).not.toHaveBeenCalled();
  });
});
