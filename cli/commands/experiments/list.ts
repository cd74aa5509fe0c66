import { unwrapBody } from "../../../client/client.ts";
import type { Experiment } from "../../../client/openapi.ts";
import { showCost } from "../../amounts.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { limit: number | undefined };

/** Runs `wharf experiments list`. */
export const listExperiments = async ({ limit = 50, ...input }: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const items = await listAll(
    (query) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/experiments", { params: { path: { tenant }, query } }),
      ),
    limit,
    io,
  );
  printList(io, input, { items, none: "No experiments found.", heading, toRow });
};

const heading = [
  "ID",
  "NAME",
  "AGENT",
  "REVISIONS",
  "DATASET",
  "STATUS",
  "RUNS",
  "COST",
  "CREATED",
];

const toRow = (experiment: Experiment): string[] => [
  experiment.id,
  experiment.displayName ?? "",
  experiment.agentId,
  experiment.revisions.join(", "),
  `${experiment.datasetId}, version ${experiment.version}`,
  experiment.status,
  `${experiment.progress.completed} of ${experiment.progress.total ?? "?"}`,
  showCost(experiment.totalCost, experiment.priced),
  showTime(experiment.createdAt),
];
