import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isApiKey, makeApiKey } from "./api-key-format.ts";

const prefixes = { prefix: "wharf", earlierPrefixes: ["whf"] };
const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe("the format of API keys", () => {
  test("every key that is made is taken, whatever its bytes", () => {
    fc.assert(
      fc.property(bytes, (secret) => {
        const key = makeApiKey("wharf", () => secret);
        expect(key).toMatch(/^wharf_live_[0-9A-Za-z]{49}$/);
        expect(isApiKey(key, prefixes)).toBe(true);
      }),
    );
  });

  test("different bytes make different keys", () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        fc.pre(Buffer.compare(one, other) !== 0);
        expect(makeApiKey("wharf", () => one)).not.toBe(makeApiKey("wharf", () => other));
      }),
    );
  });

  test("a key with any one character mistyped is refused", () => {
    fc.assert(
      fc.property(bytes, fc.nat(48), fc.constantFrom(..."0aZ9xQ"), (secret, at, typed) => {
        const key = makeApiKey("wharf", () => secret);
        const position = "wharf_live_".length + at;
        fc.pre(key[position] !== typed);
        const mistyped = key.slice(0, position) + typed + key.slice(position + 1);
        expect(isApiKey(mistyped, prefixes)).toBe(false);
      }),
    );
  });

  test("the checksum covers the prefix, so a key does not move to another", () => {
    const key = makeApiKey("other", randomBytes);
    expect(isApiKey(key, prefixes)).toBe(false);
    expect(isApiKey(key.replace("other", "wharf"), prefixes)).toBe(false);
  });

  test("keys under the earlier prefix need no checksum", () => {
    expect(isApiKey(`whf_live_${"a1".repeat(20)}`, prefixes)).toBe(true);
  });

  test("arbitrary text is never a current key and never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(isApiKey(`wharf_live_${text}`, prefixes)).toBe(false);
      }),
    );
  });
});

test("the example in docs/api-keys.md passes, and its pattern finds every key", () => {
  const text = readFileSync(new URL("../../../docs/api-keys.md", import.meta.url), "utf8");
  const [example = ""] = /wharf_live_[0-9A-Za-z]{49}/.exec(text) ?? [];
  expect(isApiKey(example, prefixes)).toBe(true);
  expect(text).toContain(String.raw`\bwharf_live_[0-9A-Za-z]{49}\b`);
});
