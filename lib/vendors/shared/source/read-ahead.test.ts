import { expect, test } from "vitest";
import { readAll } from "../../../../test/harness/source-apis/read-source.ts";
import type { SourceDocument } from "../../source.ts";
import { readAhead, readersAtOnce } from "./read-ahead.ts";

test("starts the next documents while one is read, up to the limit, and keeps their order", async () => {
  let started = 0;
  let completed = 0;
  let most = 0;
  async function* text(index: number) {
    started += 1;
    most = Math.max(most, started - completed);
    yield `text ${index} `;
    yield "end";
    completed += 1;
  }
  async function* documents(): AsyncGenerator<SourceDocument> {
    for (let index = 0; index < 10; index += 1) yield { fileName: `${index}`, text: text(index) };
    yield { fileName: "plain", text: ["as it is"] };
  }
  const all = await readAll(readAhead(documents()));
  expect(all.map(([name]) => name)).toEqual([..."0123456789", "plain"]);
  expect(all[7]).toEqual(["7", "text 7 end"]);
  expect(most).toBe(readersAtOnce);
});

test("throws a failure in its document's turn", async () => {
  async function* broken(): AsyncGenerator<string> {
    yield await Promise.reject(new Error("broken"));
  }
  async function* documents(): AsyncGenerator<SourceDocument> {
    yield { fileName: "good", text: ["good"] };
    yield { fileName: "bad", text: broken() };
  }
  const names: string[] = [];
  const reading = (async () => {
    for await (const { fileName, text } of readAhead(documents())) {
      names.push(fileName);
      for await (const _ of text);
    }
  })();
  await expect(reading).rejects.toThrow("broken");
  expect(names).toEqual(["good", "bad"]);
});
