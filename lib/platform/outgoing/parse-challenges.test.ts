import { expect, test } from "vitest";
import { parseChallenges } from "./parse-challenges.ts";

test.each<[string, string, object[]]>([
  ["is empty", "", []],
  ["has only a scheme", "Bearer", [{}]],
  [
    "has several challenges, with commas and names of schemes in quotes",
    'Bearer realm="a, DPoP error=\\"no\\", b", DPoP algs="ES256 ES384", error="use_dpop_nonce"',
    [{ realm: 'a, DPoP error="no", b' }, { algs: "ES256 ES384", error: "use_dpop_nonce" }],
  ],
  [
    "has values without quotes, spaces around them, and names in upper case",
    "Newauth Realm = apps , TYPE=1,,Bearer error=invalid_token",
    [{ realm: "apps", type: "1" }, { error: "invalid_token" }],
  ],
  [
    "has challenges without parameters and with one value",
    'Negotiate YWJj==, NTLM, Basic realm="x"',
    [{}, {}, { realm: "x" }],
  ],
  ["names a parameter twice", 'Bearer error="first", error="second"', [{ error: "first" }]],
  ["lacks commas", 'Bearer error="a" scope="b"', [{ error: "a", scope: "b" }]],
  [
    "has an address without quotes",
    'Bearer resource_metadata=https://a.example/m, error="invalid_token"',
    [{ resource_metadata: "https://a.example/m", error: "invalid_token" }],
  ],
  ["ends within quotes", 'Bearer scope="a", error="invalid', [{ scope: "a", error: "invalid" }]],
  [
    "has characters between parameters that belong nowhere",
    'Bearer realm="a";;, error="b"',
    [{ realm: "a", error: "b" }],
  ],
])("a header that %s is parsed as far as it can be read", (_, header, expected) => {
  expect(parseChallenges(header).map((parameters) => Object.fromEntries(parameters))).toEqual(
    expected,
  );
});

test.each([
  ["spaces", "Bearer", " "],
  ["commas", "Bearer ", ","],
  ["quotes that are escaped", 'Bearer a="', '\\"'],
  ["quotes that do not end", "Bearer ", 'a="b'],
  ["schemes", "", "a "],
  ["one value", "Negotiate ", "a="],
  ["characters that belong nowhere", "", ";,"],
])("a long header of %s is parsed in time that is linear in its length", (_, start, piece) => {
  const measure = (times: number) => {
    const header = start + piece.repeat(times);
    const begun = performance.now();
    parseChallenges(header);
    return performance.now() - begun;
  };
  // Quadratic time would take minutes.
  expect(measure(200_000)).toBeLessThan(5_000);
});
