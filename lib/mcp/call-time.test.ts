import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findResponseTime, openInTime } from "./call-time.ts";

const startedAt = Date.UTC(2026, 10, 28);
const ctx = {
  startedAt,
  respondBy: startedAt + 29_000,
  deadline: startedAt + 150_000,
  clock: () => Date.now(),
};
const call = (_meta?: object) => ({ method: "tools/call", params: { name: "a", _meta } });

describe("the response to a request is due", () => {
  const open = vi.fn();
  const secondsFor = (body: object, more: Partial<typeof ctx> = {}) =>
    (findResponseTime({ ctx: { ...ctx, ...more }, body: { ...body }, events: { open } }) -
      startedAt) /
    1_000;

  test("within API Gateway's time for a client without a stream, whatever it asks", () => {
    const body = call({ progressToken: 1 });
    expect(findResponseTime({ ctx, body, events: undefined })).toBe(startedAt + 27_000);
  });

  test("before the official client stops waiting", () => {
    expect(secondsFor(call())).toBe(48);
    expect(secondsFor(call({ progressToken: {} }))).toBe(48);
    expect(secondsFor({ method: "tools/call" })).toBe(48);
  });

  test("after two minutes for a client that asks for progress, in a batch, too", () => {
    expect(secondsFor(call({ progressToken: "t" }))).toBe(118);
    const body = [call(), call({ progressToken: 0 })];
    expect(findResponseTime({ ctx, body, events: { open } })).toBe(startedAt + 118_000);
  });

  test("before the function times out", () => {
    expect(secondsFor(call({ progressToken: "t" }), { deadline: startedAt + 40_000 })).toBe(38);
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
