import { describe, expect, test } from "vitest";
import type { Json } from "../../values/json/json.ts";
import { ParameterDescriptor } from "../../values/json/parameters.ts";
import { maskInText, maskInValue, secretValues } from "./masks.ts";

const toSecrets = (type: string, value: Json): string[] =>
  secretValues([ParameterDescriptor.parse({ name: "it", type, secret: true })], { it: value });

describe("the secrets of an execution", () => {
  test("that are not strings are masked as JSON text, and by their strings and numbers", () => {
    const value = { user: "ada-lovelace", keys: ["k-1234567", 4_711_000], on: true, no: null };
    const secrets = toSecrets("Json", value);
    const shown = (text: string) => maskInText(text, secrets);
    expect(shown(`got ${JSON.stringify(value)}`)).toBe("got ********");
    expect(shown("ada-lovelace has k-1234567 and 4711000")).toBe(
      "******** has ******** and ********",
    );
    expect(maskInValue({ it: value }, secrets)).toEqual({
      it: { user: "********", keys: ["********", "********"], on: true, no: null },
    });
  });

  test.each([
    ["Integer", 123_456],
    ["Float", 1_234.5],
  ])("of type %s are masked as numbers and as texts", (type, value) => {
    const secrets = toSecrets(type, value);
    expect(maskInValue([value, `${value}`], secrets)).toEqual(["********", "********"]);
  });

  test("are masked in lower case, as in the host of a URL", () => {
    const secrets = toSecrets("String", "S3CR3T-value");
    expect(maskInText("s3cr3t-value.invalid can't be resolved", secrets)).toBe(
      "********.invalid can't be resolved",
    );
  });

  test("do not mask common values: short parts, true, false and null", () => {
    expect(toSecrets("Json", { a: "abc", b: 12, c: true, d: null })).toEqual([
      '{"a":"abc","b":12,"c":true,"d":null}',
    ]);
    expect(toSecrets("Boolean", true)).toEqual([]);
    expect(toSecrets("Integer", 999)).toEqual([]);
    expect(toSecrets("Json", [])).toEqual([]);
    expect(toSecrets("String", "")).toEqual([]);
  });

  test("are masked whole if one is the prefix of another, and within a JSON text", () => {
    const secrets = toSecrets("Json", ["secret", "secret-and-more", 'with "quotes"']);
    expect(maskInText("secret-and-more", secrets)).toBe("********");
    expect(maskInText(JSON.stringify({ a: 'with "quotes"' }), secrets)).toBe('{"a":"********"}');
  });
});
