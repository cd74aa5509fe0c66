import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { maxAddressLength, parseAddress } from "./parse-address.ts";
import { parseUrl } from "./parse-url.ts";
import { wrongUrl } from "./wrong-url.ts";

const ofLength = (length: number): string => "https://a.example/".padEnd(length, "/");

test("accepts a URL of 2,048 characters, and none that is longer", () => {
  const [longest, tooLong] = [ofLength(maxAddressLength), ofLength(maxAddressLength + 1)];
  expect(parseAddress(longest)?.href).toBe(longest);
  expect(parseAddress(tooLong)).toBeUndefined();
  expect(wrongUrl(longest, {}, { mayHaveQuery: false })).toBeUndefined();
  expect(wrongUrl(tooLong, {}, { mayHaveQuery: false })).toBe(
    "The URL is longer than 2048 characters.",
  );
});

test("refuses a link or redirect that is too long, and no link that only its base makes long", () => {
  const base = new URL(ofLength(2_000));
  expect(parseAddress("/b".repeat(1_025), base)).toBeUndefined();
  expect(() => parseUrl("/b".repeat(1_025), base, {})).toThrow("longer than 2048");
  expect(parseAddress("b".repeat(100), base)?.pathname).toContain("/b");
});

test("URLs from outside are parsed in one place, which limits their length", () => {
  const root = `${import.meta.dirname}/../../..`;
  const folders = "{lib,functions}/**/*.ts";
  const files = globSync(folders, { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  const parsing = files.filter((file) =>
    /\bURL\.(?:can)?[pP]arse\(/.test(readFileSync(`${root}/${file}`, "utf8")),
  );
  const allowed = [
    "lib/platform/outgoing/parse-address.ts",
    "lib/platform/outgoing/parse-url.ts",
    // Resolves a path against a base that was parsed before.
    "lib/platform/outgoing/destination.ts",
    "lib/engine/tools/openapi/build-request.ts",
  ];
  expect(parsing.filter((file) => !allowed.includes(file))).toEqual([]);
});
