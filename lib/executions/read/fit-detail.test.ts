import { describe, expect, test } from "vitest";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { fitDetail } from "./read-execution.ts";

const quotes = (count: number) => '"'.repeat(count);

describe("the input and output of an execution", () => {
  test("are complete if they fit in a response", () => {
    const whole = { input: { a: quotes(500_000) }, output: [quotes(500_000)] };
    expect(fitDetail(whole)).toEqual(whole);
  });

  test("are cut on the larger side only, if that is sufficient", { tags: "nightly" }, () => {
    const [large, small] = [quotes(1_000_000), quotes(500_000)];
    const note = { cut: true, bytes: 2_000_002, beginning: JSON.stringify(large).slice(0, 16_000) };
    expect(fitDetail({ input: large, output: small })).toEqual({ input: note, output: small });
    expect(fitDetail({ input: small, output: large })).toEqual({ input: small, output: note });
  });

  test("are cut on both sides if neither fits", { tags: "nightly" }, () => {
    const cut = fitDetail({ input: quotes(1_500_000), output: quotes(2_000_000) });
    expect(cut).toMatchObject({ input: { cut: true }, output: { cut: true } });
    expect(responseBytes(cut)).toBeLessThan(maxResponseBytes);
  });
});
