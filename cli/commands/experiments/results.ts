import { unwrapBody } from "../../../client/client.ts";
import type { ExperimentResult, ScorerResult } from "../../../client/openapi.ts";
import { showCost, showDuration } from "../../amounts.ts";
import type { GlobalInput } from "../../command.ts";
import { showScore } from "../../experiments/print-experiment.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { type ListTable, printList } from "../../output.ts";
import { cutTo } from "../../printable.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  experiment: string;
  revision: number | undefined;
  scorer: string | undefined;
  regressedFrom: number | undefined;
  limit: number | undefined;
};

/** Runs `wharf experiments results`. */
export const listResults = async (input: Input, io: Io): Promise<void> => {
  const { experiment, revision, scorer, regressedFrom, limit = 50 } = input;
  const filter = {
    ...(revision !== undefined && { revision }),
    ...(scorer !== undefined && { scorer }),
    ...(regressedFrom !== undefined && { regressedFrom }),
  };
  const { client, tenant } = await openSession(input, io);
  const items = await listAll(
    (page) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/experiments/{experiment}/results", {
          params: { path: { tenant, experiment }, query: { ...filter, ...page } },
        }),
      ),
    limit,
    io,
  );
  printList(io, input, { items, ...(regressedFrom === undefined ? results : regressions) });
};

type Shown = Omit<ListTable<ExperimentResult>, "items">;

const results: Shown = {
  none: "No results found.",
  heading: [
    "REVISION",
    "EXAMPLE",
    "REPETITION",
    "STATUS",
    "SCORES",
    "COST",
    "DURATION",
    "EXECUTION",
    "ERROR",
  ],
  toRow: (result) => [
    String(result.revision),
    result.exampleId,
    String(result.repetition),
    result.status,
    result.scores.map(showScorer).join(", "),
    showCost(result.cost, result.priced),
    result.durationMs === null ? "" : showDuration(result.durationMs),
    result.executionId ?? "none",
    result.error ?? "",
  ],
};

const showScorer = ({ scorer, value }: ScorerResult): string => `${scorer} ${showScore(value)}`;

const regressions: Shown = {
  none: "No example has a lower score.",
  heading: ["EXAMPLE", "SCORES", "OUTPUT BEFORE", "OUTPUT AFTER", "EXECUTION"],
  toRow: ({ exampleId, regressions: fallen, baseline, output, executionId }) => [
    exampleId,
    (fallen ?? []).map(showFall).join(", "),
    showOutput(baseline?.output),
    showOutput(output),
    executionId ?? "none",
  ],
};

type Fall = NonNullable<ExperimentResult["regressions"]>[number];

const showFall = ({ scorer, before, after }: Fall): string =>
  `${scorer} ${showScore(before)} to ${showScore(after)}`;

/** Columns of an output that are shown; --json has all. */
const outputColumns = 60;

const showOutput = (output: unknown): string =>
  cutTo(typeof output === "string" ? output : (JSON.stringify(output) ?? ""), outputColumns);
