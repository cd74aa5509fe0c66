import { command, group } from "../command.ts";
import {
  amount,
  argument,
  positive,
  requiredRevisions,
  requiredText,
  requiredTexts,
  text,
  texts,
  unless,
} from "../options.ts";
import { sampleIds } from "../sample-ids.ts";

const experiment = argument("the experiment's id");
const { experiment: id } = sampleIds;
const sample =
  "wharf experiments run --dataset support --agent hello --revision 1 --scorer correct";

const run = command({
  name: "run",
  summary: "Run revisions of an agent on a dataset and score them.",
  notes:
    "Waits for the end and prints the summary: for each revision and scorer the mean with its 95 % interval, the share of scores that passed, cost and durations.\n" +
    "The exit code is 3 if a mean is below its --min in any revision, and 1 if the experiment failed, was cancelled or reached --max-cost. Ctrl-C stops waiting, not the experiment.",
  options: {
    dataset: requiredText("id", "the dataset"),
    agent: requiredText("id", "the agent"),
    revision: requiredRevisions("a revision to run, or latest (can be repeated, up to 5)"),
    scorer: requiredTexts("id", "a scorer (can be repeated, up to 10)"),
    min: texts("scorer=mean", "lowest mean of a scorer (can be repeated)"),
    split: text("name", "only examples of this split"),
    datasetVersion: positive("version of the dataset; by default the newest"),
    repetitions: positive("runs per example and revision, by default 1"),
    concurrency: positive("runs at the same time, by default 5"),
    maxCost: amount("dollars", "most that runs and scorers may cost together"),
    name: text("name", "name to show"),
    wait: unless("print the experiment's id and do not wait"),
  },
  examples: [
    `${sample} --min correct=0.9`,
    `${sample.replace("--revision 1", "--revision latest")} --name nightly`,
    `EXPERIMENT=$(${sample} --no-wait)`,
  ],
  scopes: "datasets:read, datasets:write, agents:test; with --revision latest also agents:read",
  json: "the experiment as the API returned it, at its end with `summary`",
  run: async (input, io) => (await import("./experiments/run.ts")).runExperiment(input, io),
});

const list = command({
  name: "list",
  summary: "List experiments, newest first.",
  options: { limit: positive("maximum number of experiments to list, by default 50") },
  examples: ["wharf experiments list"],
  scopes: "datasets:read",
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./experiments/list.ts")).listExperiments(input, io),
});

const get = command({
  name: "get",
  summary: "Show an experiment with its summary.",
  args: { experiment },
  examples: [`wharf experiments get ${id}`],
  scopes: "datasets:read",
  json: "the experiment as the API returned it",
  run: async (input, io) => (await import("./experiments/get.ts")).getExperiment(input, io),
});

const results = command({
  name: "results",
  summary: "List the results of an experiment, or its regressions.",
  args: { experiment },
  options: {
    revision: positive("only results of this revision"),
    scorer: text("id", "only scores of this scorer"),
    regressedFrom: positive(
      "only examples with lower scores than in this revision, with both outputs; requires --revision, unless the experiment has two",
    ),
    limit: positive("maximum number of results to list, by default 50"),
  },
  examples: [
    `wharf experiments results ${id} --scorer correct`,
    `wharf experiments results ${id} --regressed-from 1 --json | jq -r '.items[].exampleId'`,
  ],
  scopes: "datasets:read",
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./experiments/results.ts")).listResults(input, io),
});

const cancel = command({
  name: "cancel",
  summary: "Cancel an experiment and its runs in progress.",
  args: { experiment },
  examples: [`wharf experiments cancel ${id}`],
  notRun: "the experiment has ended",
  scopes: "datasets:write",
  json: "the experiment as the API returned it",
  run: async (input, io) => (await import("./experiments/cancel.ts")).cancelExperiment(input, io),
});

/** Rows of `wharf experiments`. */
export const experiments = group({
  name: "experiments",
  summary: "Compare revisions of an agent on a dataset.",
  examples: [`${sample} --min correct=0.9`, `wharf experiments results ${id} --regressed-from 1`],
  commands: [run, list, get, results, cancel],
});
