import { expect, test } from "vitest";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { collectCitations, fitCitations } from "./read-spans.ts";

const passage = (number: number) => ({
  assetId: "handbook",
  documentId: `d${number}`,
  documentName: `page-${number}.md`,
  link: null,
  text: `Passage ${number}`,
  score: 1,
});

const span = (stepId: string, citations: readonly unknown[], status = "Succeeded") => ({
  stepId,
  status,
  citations,
});

test("an execution cites every passage of its steps once, in their order, without failed attempts", () => {
  const trace = [
    { stepId: "start", status: "Succeeded" },
    span("find", [passage(9)], "Failed"),
    span("find", [passage(1), passage(2)]),
    span("each/1", [passage(2), passage(3)]),
  ];
  expect(collectCitations(trace)).toEqual([
    { stepId: "find", ...passage(1) },
    { stepId: "find", ...passage(2) },
    { stepId: "each/1", ...passage(3) },
  ]);
  expect(collectCitations([])).toEqual([]);
});

test("an execution has at most 50 citations", () => {
  const steps = Array.from({ length: 20 }, (_, step) =>
    span(
      `each/${step}`,
      Array.from({ length: 5 }, (_, at) => passage(step * 5 + at)),
    ),
  );
  const cited = collectCitations(steps);
  expect(cited).toHaveLength(50);
  expect(cited.at(-1)).toEqual({ stepId: "each/9", ...passage(49) });
});

test("a response has the first citations for which its output leaves room", {
  tags: "nightly",
}, () => {
  const cited = collectCitations([span("find", [1, 2, 3].map(passage))]);
  expect(fitCitations(cited, ["short"])).toEqual(cited);
  const two = cited.slice(0, 2).reduce((sum, citation) => sum + responseBytes(citation), 0);
  const output = "x".repeat(maxResponseBytes - two - responseBytes(""));
  expect(fitCitations(cited, [output])).toEqual(cited.slice(0, 2));
  expect(fitCitations(cited, [`${output}x`])).toEqual(cited.slice(0, 1));
  expect(fitCitations(cited, [output, output])).toEqual([]);
});
