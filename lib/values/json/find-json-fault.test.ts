import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { describeJsonFault, findJsonFault } from "./find-json-fault.ts";

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("the fault of a text that is not JSON", () => {
  test.each([
    ['{\n  "a": 1,\n  "b": 2,\n}', "trailing comma at line 3, column 9"],
    ['{"a": [1, 2, ]}', "trailing comma at line 1, column 12"],
    ['{"a": 1\r\n "b": 2}', "missing comma at line 2, column 2"],
    ['{"a" 1}', "missing colon after a member's name at line 1, column 6"],
    ['{"a": }', "missing value at line 1, column 7"],
    ["[1,,2]", "missing value at line 1, column 4"],
    ["  \n ", "missing value at line 2, column 2"],
    ["{a: 1}", "text without double quotes at line 1, column 2"],
    ["{1: 1}", "member name without double quotes at line 1, column 2"],
    ["{'a': 1}", 'quotation mark other than " at line 1, column 2'],
    ["[“a”]", 'quotation mark other than " at line 1, column 2'],
    ["[1] // one", "comment at line 1, column 5"],
    ["[True]", "text without double quotes at line 1, column 2"],
    ["[01]", "invalid number at line 1, column 2"],
    ["[.5]", "invalid number at line 1, column 2"],
    ['{"a": {"b": [1}}', "} in place of ] at line 1, column 15"],
    ["]", "] without its [ at line 1, column 1"],
    ['{"a": {"b": 1}', "unclosed object at line 1, column 1"],
    ['{"a":\n [1', "unclosed array at line 2, column 2"],
    ["{} {}", "text after the end of the JSON value at line 1, column 4"],
    ['["a\nb"]', "string without a closing quotation mark on its line at line 1, column 2"],
    ['["a\tb"]', "control character in a string at line 1, column 4"],
    ['["\\d"]', "invalid escape in a string at line 1, column 3"],
    ['["😀",]', "trailing comma at line 1, column 5"],
  ])("in %j is: %s", (text, fault) => {
    expect(parses(text)).toBe(false);
    expect(describeJsonFault(text)).toBe(fault);
  });

  test("is found exactly where JSON.parse refuses the text", () => {
    const edit = fc.record({
      at: fc.nat(200),
      remove: fc.nat(2),
      insert: fc.constantFrom(
        "",
        ..."{}[],:\"\\'/ \n\t\u0001-+.0e5tnu\ud83d\ufeff",
        "null",
        "\\u00",
      ),
    });
    const input = [fc.json(), fc.nat(2), fc.array(edit, { maxLength: 3 })] as const;
    fc.assert(
      fc.property(...input, (json, indent, edits) => {
        let text = JSON.stringify(JSON.parse(json), null, indent);
        for (const { at, remove, insert } of edits) {
          const cut = at % (text.length + 1);
          text = text.slice(0, cut) + insert + text.slice(cut + remove);
        }
        expect(findJsonFault(text) === undefined).toBe(parses(text));
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  test("of a comma before a closing bracket is at that comma", () => {
    const value = fc.oneof(fc.array(fc.jsonValue(), { minLength: 1 }), fc.jsonValue());
    fc.assert(
      fc.property(value, (inner) => {
        const lines = JSON.stringify({ before: "😀", inner: [inner] }, null, 2).split("\n");
        const at = lines.length - 3;
        lines[at] += ",";
        expect(findJsonFault(lines.join("\n"))).toEqual({
          line: at + 1,
          column: [...(lines[at] ?? "")].length,
          problem: "trailing comma",
        });
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test.each([
    ["brackets", "[".repeat(2_000_000)],
    ["spaces", `[${" ".repeat(2_000_000)}`],
    ["a string", `["${"a".repeat(2_000_000)}`],
    ["escapes", `["${"\\n".repeat(1_000_000)}`],
    ["digits", `[${"1".repeat(2_000_000)}.`],
    ["lines", `[1${"\r\n".repeat(1_000_000)}x`],
    ["items", `[${"1,".repeat(1_000_000)}]`],
  ])("is found in time linear in the text's length: %s", { tags: "nightly" }, (_name, text) => {
    expect(findJsonFault(text)).toBeDefined();
  });
});
