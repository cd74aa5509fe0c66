import { expect, test } from "vitest";
import { readBlocks } from "./read-page.ts";
import { endsAsShown } from "./shown.ts";

const id = "01a20196-c26b-7fef-86a8-11a6b5f7d4c6";

test.each([
  ['{"status": "Succeeded", …}', `{"id":"${id}","status":"Succeeded"}`],
  [`{"id": "01a1fb9e-ab6b-7c66-81d8-d0100f04b623"}`, `{"id":"${id}"}`],
  ['{"at": 1795322986467, "text": "…", "by": …}', '{"at":1795322986999,"text":"any","by":null}'],
  ['[{"name": "a", …}, …]', '[{"name":"a","more":1},{"name":"b"}]'],
  ['{"status": 204}', 'first\n{"status":204}\nlast'],
  ["42", "{}\n42\n"],
  ["Saved in …/credentials.json.", "Saved in /home/me/credentials.json.\n"],
])("%s is shown where %s is printed", (shown, printed) => {
  expect(endsAsShown(shown, printed)).toBe(true);
});

test.each([
  ['{"status": "Succeeded", …}', '{"status":"Failed"}'],
  ['{"status": "Succeeded"}', '{"status":"Succeeded","more":1}'],
  ['{"id": "01a1fb9e-ab6b-7c66-81d8-d0100f04b623"}', '{"id":"none"}'],
  ['[{"name": "a"}]', "[]"],
  ["42", "420"],
])("%s is not shown where %s is printed", (shown, printed) => {
  expect(endsAsShown(shown, printed)).toBe(false);
});

test("the sh blocks of a page are read with their output and the reason why one is not run", () => {
  const page = [
    "```sh",
    "echo 1",
    "```",
    "",
    "```json",
    "1",
    "```",
    "<!-- test: skip: needs an account -->",
    "```sh",
    "echo 2",
    "```",
  ].join("\n");
  expect(readBlocks(page)).toEqual([
    { line: 1, code: "echo 1", shown: "1", skipped: undefined },
    { line: 9, code: "echo 2", shown: undefined, skipped: "needs an account" },
  ]);
});
