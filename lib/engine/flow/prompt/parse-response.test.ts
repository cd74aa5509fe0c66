import { describe, expect, test } from "vitest";
import { testProcessor } from "../../../../test/harness/processor.ts";
import { parseResponse as read } from "./parse-response.ts";

const schema = { type: "object" };
const parseResponse = (given: typeof schema, text: string) =>
  read(given, text, testProcessor(60_000));

describe("a model's response", () => {
  test.each([
    ["plain", '{"a":1}'],
    ["fenced", '```\n{"a":1}\n```'],
    ["fenced as json", '\n```json  \r\n{"a":1}\r\n```\n'],
    ["fenced with empty lines", '```json\n\n\n{"a":1}\n\n```'],
  ])("is read when it is %s", async (_, text) => {
    expect(await parseResponse(schema, text)).toEqual({ ok: true, value: { a: 1 } });
  });

  test.each([
    ["another language", '```yaml\n{"a":1}\n```'],
    ["a fence and no more", "```\n```"],
    ["one line", '```{"a":1}```'],
    ["an open fence", '```json\n{"a":1}'],
  ])("is not valid JSON when it is %s", async (_, text) => {
    expect(await parseResponse(schema, text)).toEqual({
      ok: false,
      detail: "it is not valid JSON",
    });
  });

  test("of a million line breaks is not valid JSON, in time linear in its length", async () => {
    // A quadratic search would outlast the test's timeout by minutes.
    const space = "\n".repeat(1_000_000);
    for (const text of [
      `\`\`\`${space}x`,
      `\`\`\`json${space}x\`\`\``,
      `\`\`\`${space}x\n\`\`\``,
    ]) {
      expect((await parseResponse(schema, text)).ok).toBe(false);
    }
  });
});
