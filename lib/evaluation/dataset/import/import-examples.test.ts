import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { importExamples } from "./import-examples.ts";

const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe("importing examples", () => {
  test("reads any examples as JSON lines and as an array, as they were written", {
    tags: "nightly",
  }, () => {
    // zod leaves out the member `__proto__` of what has any members.
    const name = fc.string().filter((text) => text !== "__proto__");
    const example = fc.record(
      {
        id: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/),
        input: fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
        expected: fc.jsonValue().filter((value) => value !== null),
        metadata: fc.dictionary(name, fc.jsonValue(), { minKeys: 1 }),
        split: fc.string({ minLength: 1, maxLength: 64 }),
      },
      { requiredKeys: ["input"] },
    );
    fc.assert(
      fc.property(fc.array(example, { minLength: 1, maxLength: 5 }), (examples) => {
        const items = JSON.parse(JSON.stringify(examples));
        const format = "wharf";
        const expected = { format, items, skipped: 0, problems: [] };
        const places = (name: string) => items.map((_: unknown, at: number) => `${name} ${at + 1}`);
        expect(importExamples(lines(...examples), { format })).toEqual({
          ...expected,
          places: places("line"),
        });
        expect(importExamples(JSON.stringify(examples), { format })).toEqual({
          ...expected,
          places: places("item"),
        });
      }),
    );
  });

  test("reads any table as CSV: the cells of a row are its inputs, and one is the expected output", {
    tags: "nightly",
  }, () => {
    const cell = fc
      .string({ minLength: 1, unit: fc.constantFrom("a", " ", ",", ";", "\n", '"', "é", "1") })
      .filter((text) => !/^\s*["[{]/.test(text));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
        const wanted = rows.filter((row) => row.some((cell) => cell.trim() !== ""));
        fc.pre(wanted.length === rows.length);
        const csv = [["city", "expected"], ...rows]
          .map((row) => row.map(quoted).join(","))
          .join("\r\n");
        expect(importExamples(csv)).toMatchObject({
          format: "csv",
          items: rows.map(([city, expected]) => ({ input: { city }, expected })),
          skipped: 0,
          problems: [],
        });
      }),
    );
  });

  test("reads the hosted evals of OpenAI: the label is the expected output, the rest the inputs", () => {
    const { format, items } = importExamples(
      lines(
        { item: { ticket_text: "My monitor won't turn on!", correct_label: "Hardware" } },
        { item: { ticket_text: "VPN", correct_label: "Software" }, sample: { output_text: "?" } },
      ),
    );
    expect(format).toBe("openai-evals");
    expect(items).toEqual([
      { input: { ticket_text: "My monitor won't turn on!" }, expected: "Hardware" },
      {
        input: { ticket_text: "VPN" },
        expected: "Software",
        metadata: { sample: { output_text: "?" } },
      },
    ]);
    const named = importExamples(lines({ item: { q: "1+1", result: 2 } }), { expected: "result" });
    expect(named.items).toEqual([{ input: { q: "1+1" }, expected: 2 }]);
  });

  test("reads samples of OpenAI's library of evals: messages, texts and several ideals", () => {
    const messages = [
      { role: "system", content: "Answer." },
      { role: "user", content: "Who?" },
    ];
    const text = lines(
      { input: messages, ideal: ["Ada", "Lovelace"] },
      { input: "Who?", ideal: "Ada" },
    );
    expect(importExamples(text, { input: "question" })).toEqual({
      places: ["line 1", "line 2"],
      format: "openai-evals",
      items: [
        { input: { question: messages }, expected: ["Ada", "Lovelace"] },
        { input: { question: "Who?" }, expected: "Ada" },
      ],
      skipped: 0,
      problems: [],
    });
    expect(importExamples(text).items.map(({ input }) => input)).toEqual([
      { messages },
      { input: "Who?" },
    ]);
  });

  const item = {
    id: "cm4x1a2b3c",
    status: "ACTIVE",
    input: { country: "Italy" },
    expectedOutput: "Rome",
    metadata: { source: "manual" },
    sourceTraceId: "trace-1",
    sourceObservationId: null,
    datasetId: "cm4x0",
    datasetName: "capitals",
    createdAt: "2026-11-01T00:00:00.000Z",
    updatedAt: "2026-11-01T00:00:00.000Z",
  };
  const read = {
    id: "cm4x1a2b3c",
    input: { country: "Italy" },
    expected: "Rome",
    metadata: { source: "manual", sourceTraceId: "trace-1" },
  };

  test("reads the items of a Langfuse dataset from its API, its exports and CSV, without archived ones", () => {
    const archived = { ...item, id: "old", status: "ARCHIVED" };
    const expected = { format: "langfuse", items: [read], skipped: 1, problems: [] };
    const page = { data: [item, archived], meta: { page: 1, totalItems: 2 } };
    expect(importExamples(JSON.stringify(page))).toMatchObject(expected);
    expect(importExamples(JSON.stringify([item, archived]))).toMatchObject(expected);
    expect(importExamples(lines(item, archived))).toMatchObject(expected);
    const cells = [item, archived].map((example) =>
      Object.values(example).map((value) =>
        quoted(typeof value === "string" ? value : value === null ? "" : JSON.stringify(value)),
      ),
    );
    const csv = [Object.keys(item), ...cells].map((row) => row.join(",")).join("\n");
    expect(importExamples(csv)).toMatchObject(expected);
    const plain = importExamples(lines({ ...item, id: "a b", input: "Italy", metadata: "x" }));
    expect(plain.items).toEqual([
      {
        input: { input: "Italy" },
        expected: "Rome",
        metadata: { metadata: "x", sourceTraceId: "trace-1" },
      },
    ]);
  });

  test("names the line of whatever is no example", () => {
    const text = [
      JSON.stringify({ input: 1 }),
      "{",
      "[]",
      JSON.stringify({ input: 1, expcted: 2 }),
      "{}",
    ];
    expect(importExamples(text.join("\n")).problems).toEqual([
      { place: "line 2", detail: "is not a JSON object" },
      { place: "line 3", detail: "is not a JSON object" },
      { place: "line 4", detail: 'has the member `expcted`; did you mean "expected"?' },
      { place: "line 5", detail: "/input is required" },
    ]);
    expect(importExamples('a,b\n"x,1').problems[0]?.detail).toContain("is not valid CSV");
    expect(importExamples("").problems).toEqual([{ place: "", detail: "has no examples" }]);
    expect(importExamples("a,b\n1").problems[0]?.detail).toContain("is not valid CSV");
  });
});
