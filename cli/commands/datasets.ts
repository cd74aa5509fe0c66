import { importFormats } from "../../lib/evaluation/dataset/import/imported.ts";
import { command, group } from "../command.ts";
import { argument, optionalArgument, optionalChoice, positive, text } from "../options.ts";

const dataset = argument("the dataset's id");
const file = optionalArgument("the file; by default DATASET.jsonl");

const push = command({
  name: "push",
  summary: "Add the examples of a file to a dataset, which is created if it does not exist.",
  notes:
    "The file has examples as `pull` writes them, OpenAI Evals (JSONL), a Langfuse dataset's export (JSON, JSONL or CSV), or CSV with a header: columns id, split, metadata and the expected output; the others are the named inputs, or there is a column input.\n" +
    "Examples with the id of an earlier one replace it. Each request of up to 1,000 examples makes a version, unless nothing differs.",
  args: { dataset, file },
  options: {
    format: optionalChoice("format", importFormats, "format of the file, recognized by default"),
    expected: text("name", "member or column with the expected output"),
    input: text("name", "name of the agent's input for a value that is not an object"),
    split: text("name", "split of the examples that have none"),
  },
  examples: ["wharf datasets push support cases.jsonl --split test"],
  scopes: "datasets:read, datasets:write",
  json: '`{"dataset", "format", "pushed", "skipped", "version", "exampleCount"}`',
  run: async (input, io) => (await import("./datasets/push.ts")).pushExamples(input, io),
});

const pull = command({
  name: "pull",
  summary: "Write the examples of a dataset to a JSONL file.",
  args: { dataset, file },
  options: {
    datasetVersion: positive("version of the dataset; by default the newest"),
    split: text("name", "only examples of this split"),
  },
  examples: ["wharf datasets pull support cases.jsonl --dataset-version 1"],
  scopes: "datasets:read",
  json: '`{"dataset", "file", "version", "pulled"}`',
  run: async (input, io) => (await import("./datasets/pull.ts")).pullExamples(input, io),
});

const list = command({
  name: "list",
  summary: "List datasets.",
  options: { limit: positive("maximum number of datasets to list") },
  examples: ["wharf datasets list", "wharf datasets list --json | jq -r '.items[].id'"],
  scopes: "datasets:read",
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./datasets/list.ts")).listDatasets(input, io),
});

const get = command({
  name: "get",
  summary: "Show a dataset.",
  args: { dataset },
  examples: ["wharf datasets get support"],
  scopes: "datasets:read",
  json: "the dataset as the API returned it",
  run: async (input, io) => (await import("./datasets/get.ts")).getDataset(input, io),
});

const example = command({
  name: "example",
  summary: "Show an example of a dataset.",
  args: { dataset, example: argument("the example's id") },
  options: { datasetVersion: positive("version of the dataset; by default the newest") },
  examples: ["wharf datasets example support ada --dataset-version 1"],
  scopes: "datasets:read",
  json: "the example as the API returned it",
  run: async (input, io) => (await import("./datasets/example.ts")).getExample(input, io),
});

/** Rows of `wharf datasets`. */
export const datasets = group({
  name: "datasets",
  summary: "Push, pull and list datasets.",
  examples: ["wharf datasets push support cases.jsonl", "wharf datasets pull support"],
  commands: [push, pull, list, get, example],
});
