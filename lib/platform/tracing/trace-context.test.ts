import { describe, expect, test } from "vitest";
import { readTraceContext } from "./trace-context.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";
const traceparent = `00-${traceId}-${spanId}-01`;
const read = (sent: string | string[], tracestate?: string | string[]) =>
  readTraceContext(
    new Map([
      ["traceparent", [sent].flat()],
      ...(tracestate === undefined ? [] : [["tracestate", [tracestate].flat()] as const]),
    ]),
  );

describe("the trace context of a request", () => {
  test("is read from its headers", () => {
    expect(read(traceparent, "vendor=ab,t@other=1")).toEqual({
      traceparent,
      tracestate: "vendor=ab,t@other=1",
    });
    expect(read(` ${traceparent}\t`)).toEqual({ traceparent });
    expect(readTraceContext(new Map())).toBeUndefined();
  });

  test("is read as version 00 when its version is higher", () => {
    expect(read(`01-${traceId}-${spanId}-ff-more`)).toEqual({
      traceparent: `00-${traceId}-${spanId}-03`,
    });
    expect(read(`cc-${traceId}-${spanId}-00`)).toEqual({
      traceparent: `00-${traceId}-${spanId}-00`,
    });
  });

  test.each([
    ["upper case", traceparent.toUpperCase()],
    ["version ff", `ff-${traceId}-${spanId}-01`],
    ["more after version 00", `${traceparent}-more`],
    ["more without a separator", `01-${traceId}-${spanId}-01more`],
    ["a trace id of zeros", `00-${"0".repeat(32)}-${spanId}-01`],
    ["a span id of zeros", `00-${traceId}-${"0".repeat(16)}-01`],
    ["a short trace id", `00-${traceId.slice(1)}-${spanId}-01`],
    ["no flags", `00-${traceId}-${spanId}`],
    ["other digits", `00-${traceId}-${"g".repeat(16)}-01`],
    ["two in one", `${traceparent}, ${traceparent}`],
    ["two headers", [traceparent, traceparent]],
    ["nothing", ""],
  ])("is ignored for a traceparent with %s", (_, sent) => {
    expect(read(sent, "vendor=1")).toBeUndefined();
  });

  test.each([
    ["a member without a value", "vendor="],
    ["a member without a key", "=1"],
    ["no key and value", "vendor"],
    ["an upper-case key", "Vendor=1"],
    ["a key twice", "vendor=1,other=2,vendor=3"],
    ["a value with =", "vendor=a=b"],
    ["a value outside of ASCII", "vendor=é"],
    ["a long key", `${"k".repeat(257)}=1`],
    ["33 members", Array.from({ length: 33 }, (_, at) => `k${at}=1`).join(",")],
    ["nothing", " , "],
  ])("has no tracestate for one with %s", (_, sent) => {
    expect(read(traceparent, sent)).toEqual({ traceparent });
  });

  test("joins several headers, and leaves out what is beyond 512 characters", () => {
    expect(read(traceparent, ["a=1, ,b=2", "c=3"])?.tracestate).toBe("a=1,b=2,c=3");
    const long = `long=${"x".repeat(200)}`;
    const short = Array.from({ length: 20 }, (_, at) => `k${at}=${"y".repeat(30)}`);
    const kept = read(traceparent, [long, ...short])?.tracestate ?? "";
    expect(kept.length).toBeLessThanOrEqual(512);
    expect(kept.split(",")).toEqual(short.slice(0, kept.split(",").length));
  });
});
