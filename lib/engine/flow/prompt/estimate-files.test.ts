import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ask,
  depsWithModel,
  filesWith,
  run,
  scripted,
  textResult,
  toFlowFile,
} from "../../../../test/harness/flow.ts";
import type { Takes } from "../../models/file-kinds.ts";
import type { Spending } from "../spend-guard.ts";
import { estimateFile } from "./estimate-files.ts";

const estimate = (mediaType: string, bytes: number, takes: Takes = "yes", model = "m") =>
  estimateFile({ mediaType, bytes }, { provider: { takes: () => takes }, model });

test.each([
  ["an image", "image/png", 5_000, "yes", { expected: 1_600, most: 5_000 }],
  ["a larger image", "image/png", 5_000_000, "yes", { expected: 1_600, most: 5_000 }],
  ["two pages of a PDF", "application/pdf", 100_000, "yes", { expected: 9_200, most: 400_000 }],
  ["the text of a PDF", "application/pdf", 100_000, "no", { expected: 25_000, most: 401_024 }],
  ["ten seconds of audio", "audio/mpeg", 160_000, "yes", { expected: 320, most: 6_827 }],
  ["text", "text/csv", 1_000, "yes", { expected: 250, most: 2_024 }],
  ["text that is cut", "text/csv", 9_000_000, "yes", { expected: 100_000, most: 401_024 }],
] as const)("%s counts by its kind and size", (_name, mediaType, bytes, takes, expected) => {
  expect(estimate(mediaType, bytes, takes)).toEqual(expected);
});

test("an image of GPT-4o mini is bounded by its many tokens", () => {
  expect(estimate("image/png", 1, "yes", "gpt-4o-mini").most).toBe(48_169);
});

test("an estimate is at most its bound, and neither falls with the size", () => {
  const types = ["image/png", "application/pdf", "audio/wav", "video/mp4", "text/csv", "x/y"];
  const takes = fc.constantFrom<Takes>("yes", "no", "unknown");
  const size = fc.nat({ max: 64 * 1024 * 1024 });
  fc.assert(
    fc.property(fc.constantFrom(...types), takes, size, size, (type, kind, one, other) => {
      const less = estimate(type, Math.min(one, other), kind);
      const more = estimate(type, Math.max(one, other), kind);
      expect(less.expected).toBeLessThanOrEqual(less.most);
      expect(less.expected).toBeLessThanOrEqual(more.expected);
      expect(less.most).toBeLessThanOrEqual(more.most);
    }),
  );
});

describe("a reservation", () => {
  const reserveFor = async (mediaType: string, content: string) => {
    const file = { id: "f1", name: "n".repeat(300), mediaType, content };
    const asked: { estimate: number; most: number }[] = [];
    const reserve = async ({ estimate: dollars, most }: Spending) =>
      void asked.push({ estimate: dollars, most: most() });
    const { requests, generate } = scripted(textResult("fine"));
    const deps = depsWithModel(generate, { files: filesWith(file).files });
    const step = ask({
      files: ["{% input.file %}"],
      llm: { providerId: "test", parameters: { maxOutputTokens: 1 } },
    });
    const spend = { checkUnpriced: () => undefined, reserve };
    await run([step], [], { input: { file: toFlowFile(file) }, deps, spend });
    return { ...asked[0], parts: [...(requests[0]?.fileParts?.values() ?? [])] };
  };

  test("counts the tokens of an image", async () => {
    const { estimate: dollars = 0, most = 0 } = await reserveFor("image/png", "png");
    expect(dollars).toBeGreaterThan(1_600);
    expect(dollars).toBeLessThan(2_000);
    expect(most).toBeGreaterThan(5_000);
  });

  test("is not exceeded by the text of a file, with what surrounds it", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 2_000 });
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const { most = 0, parts } = await reserveFor("text/plain", content);
        const [part] = parts;
        const bytes = part?.type === "text" ? Buffer.byteLength(part.text) : Infinity;
        expect(bytes).toBeLessThanOrEqual(most);
      }),
      { numRuns: 20 },
    );
  });
});
