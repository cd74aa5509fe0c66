import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generatePiiCorpus, measurePii } from "../../../test/harness/pii-corpus.ts";
import { maskFound } from "./found-text.ts";
import { findPii } from "./pii.ts";
import { piiKinds } from "./schemas.ts";

const mask = (text: string) => maskFound(text, findPii(text, piiKinds));

describe("Pii", () => {
  test.each([
    ["Write to ada.l+x@mail.example.co.uk.", "Write to [Email]."],
    ["<ada@example.com>, 'bob@example.org'", "<[Email]>, '[Email]'"],
    ["Call +49 (0)30 1234567 or (212) 555-0100!", "Call [Phone] or [Phone]!"],
    ["030 1234567", "[Phone]"],
    ["4111 1111 1111 1111, 378282246310005", "[Card], [Card]"],
    ["Card 4111-1111-1111-1111 12/29", "Card [Card] 12/29"],
    ["DE89 3704 0044 0532 0130 00 and NL91ABNA0417164300.", "[Iban] and [Iban]."],
    ["gb82west12345698765432", "[Iban]"],
    [`key sk-${"a1".repeat(20)};`, "key [Key];"],
    [`xyz_live_${"a1".repeat(24)}`, "[Key]"],
    ["-----BEGIN RSA PRIVATE KEY-----\nAB\n-----END RSA PRIVATE KEY-----", "[Key]"],
    ["-----BEGIN PRIVATE KEY-----\ncut off", "[Key]\ncut off"],
  ])("finds %j", (text, masked) => {
    expect(mask(text)).toBe(masked);
  });

  test.each([
    "2024-01-01 12:00 and 2024-01-02",
    "4111 1111 1111 1112",
    "DE88 3704 0044 0532 0130 00",
    "a@b, @name, ada@localhost",
    "v10.20.300, 1763596800000, 3.14159265358979",
    "0193f0a0-7c4b-7000-8000-000000000000",
    "sk-short",
  ])("leaves %j as it is", (text) => {
    expect(mask(text)).toBe(text);
  });

  test("finds only the kinds that are wanted", () => {
    const found = findPii("ada@example.com +4930123456", ["Phone"]);
    expect(found.map(({ kind }) => kind)).toEqual(["Phone"]);
  });

  test("found parts are in order, in the text, and never overlap", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "ada@example.com",
        "+4930123456",
        "4111111111111111",
        "DE89370400440532013000",
      ),
      fc.string({ maxLength: 4 }),
      fc.constantFrom(" ", "-", "@", ".", "(", "+", "00", "eyJ", "_live_", "-----BEGIN "),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join("");
        let end = 0;
        for (const found of findPii(text, piiKinds)) {
          expect(found.start).toBeGreaterThanOrEqual(end);
          expect(found.end).toBeGreaterThan(found.start);
          end = found.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test.each([
    "@",
    "a@",
    "1 ",
    "+1",
    "DE12",
    "a_live_",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----",
    "eyJ.",
    "(1) ",
  ])("reads many of %j in linear time", { tags: "nightly" }, (piece) => {
    const measure = (length: number) => {
      const text = piece.repeat(length / piece.length);
      const start = process.threadCpuUsage();
      findPii(text, piiKinds);
      return process.threadCpuUsage(start).user;
    };
    // The least of several, which other work on the machine disturbs least.
    const least = (length: number) => Math.min(...[1, 2, 3, 4].map(() => measure(length)));
    // Quadratic time would be 64 times as much.
    expect(least(160_000)).toBeLessThan(30 * Math.max(least(20_000), 5_000));
  });

  test("has the precision and the recall that docs/guardrails.md names", {
    tags: "nightly",
  }, () => {
    const corpus = generatePiiCorpus(8_000);
    const quality = measurePii(corpus, (text, kind) => findPii(text, [kind]).length > 0);
    const page = readFileSync(new URL("../../../docs/guardrails.md", import.meta.url), "utf8");
    const rows = piiKinds.map((kind) => {
      const [, precision, recall] =
        new RegExp(`\`${kind}\` .*\\| +([\\d.]+) % +\\| +([\\d.]+) % `).exec(page) ?? [];
      return [kind, { precision: Number(precision), recall: Number(recall) }];
    });
    expect(Object.fromEntries(rows)).toEqual(quality);
  });
});
