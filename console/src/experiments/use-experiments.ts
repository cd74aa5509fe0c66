import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type {
  CreateExperimentBody,
  Experiment,
  ExperimentResult,
} from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const experimentsPath = "/v1/tenants/{tenant}/experiments";
const experimentPath = `${experimentsPath}/{experiment}` as const;
const runningMilliseconds = 2_000;

/** Lists the experiments, newest first; a live list shows their progress. */
export const useExperiments = ({ isLive = false }: { isLive?: boolean } = {}) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Experiment>({
    queryKey: [tenant, "experiments"],
    getId: ({ id }) => id,
    isLive,
    read: (query) =>
      unwrapBody(client.GET(experimentsPath, { params: { path: { tenant }, query } })),
  });
};

/** Reads an experiment, every few seconds until it has its summary; none without an id. */
export const useExperiment = (experiment: string | undefined) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "experiment", experiment],
    enabled: experiment !== undefined,
    queryFn: () =>
      unwrapBody(
        client.GET(experimentPath, { params: { path: { tenant, experiment: experiment ?? "" } } }),
      ),
    refetchInterval: ({ state: { data } }) =>
      data && data.endedAt === null ? runningMilliseconds : false,
  });
};

/** An experiment with its versions and its summary, as it is read. */
export type ExperimentDetail = NonNullable<ReturnType<typeof useExperiment>["data"]>;
/** A row of the summary: scores of a revision by a scorer. */
export type ExperimentSummaryRow = ExperimentDetail["summary"][number];

/**
 * Filters of results; `regressedFrom` keeps only the examples with lower scores than in that
 * revision.
 */
export type ResultFilter = {
  revision?: number | undefined;
  regressedFrom?: number | undefined;
  scorer?: string | undefined;
};

/** Lists the results of an experiment; `progress` changes when there are others. */
export const useResults = (experiment: string, filter: ResultFilter, progress: number) => {
  const client = useClient();
  const tenant = useTenant();
  const { revision, regressedFrom, scorer } = filter;
  return useList<ExperimentResult>({
    queryKey: [tenant, "experiment-results", experiment, filter, progress],
    getId: (result) => `${result.revision} ${result.exampleId} ${result.repetition}`,
    read: (page) =>
      unwrapBody(
        client.GET(`${experimentPath}/results`, {
          params: {
            path: { tenant, experiment },
            query: {
              ...page,
              ...(revision !== undefined && { revision }),
              ...(regressedFrom !== undefined && { regressedFrom }),
              ...(scorer !== undefined && { scorer }),
            },
          },
        }),
      ),
  });
};

/** Starts an experiment. */
export const useStartExperiment = () =>
  useAction(["experiments"], ({ client, tenant }, body: CreateExperimentBody) =>
    unwrapBody(client.POST(experimentsPath, { params: { path: { tenant } }, body })),
  );

/** Cancels an experiment and its runs. */
export const useCancelExperiment = (experiment: string) =>
  useAction(
    ["experiments", "experiment"],
    ({ client, tenant }) =>
      unwrapBody(
        client.POST(`${experimentPath}:cancel`, { params: { path: { tenant, experiment } } }),
      ),
    // It may have ended.
    { done: "Cancelled the experiment.", isReadAfterRefusal: true },
  );
