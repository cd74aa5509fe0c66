import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { AddFromExecutionsBody, Example, SentExample } from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";
import type { DatasetSearch } from "./dataset-search.ts";
import { datasetNames } from "./use-datasets.ts";

const datasetPath = "/v1/tenants/{tenant}/datasets/{dataset}";
const examplesPath = `${datasetPath}/examples` as const;

/** Lists the examples of a version, by default of the newest one. */
export const useExamples = (dataset: string, { version, split }: DatasetSearch) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Example>({
    queryKey: [tenant, "examples", dataset, { version, split }],
    getId: ({ id }) => id,
    read: (page) =>
      unwrapBody(
        client.GET(examplesPath, {
          params: {
            path: { tenant, dataset },
            query: {
              ...page,
              ...(version !== undefined && { version }),
              ...(split !== undefined && { split }),
            },
          },
        }),
      ),
  });
};

/** Reads an example as it is in a version. */
export const useExample = (
  dataset: string,
  { example, version }: { example: string; version: number },
  isShown: boolean,
) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "examples", dataset, { version, example }],
    enabled: isShown,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      unwrapBody(
        client.GET(`${examplesPath}/{example}`, {
          params: { path: { tenant, dataset, example }, query: { version } },
        }),
      ),
  });
};

/** Adds an example, or replaces the one with its id. */
export const useSaveExample = (dataset: string) =>
  useAction(
    datasetNames,
    ({ client, tenant }, example: SentExample) =>
      unwrapBody(
        client.POST(examplesPath, {
          params: { path: { tenant, dataset } },
          body: { items: [example] },
        }),
      ),
    { done: "Saved the example." },
  );

/** Removes an example from the newest version. */
export const useDeleteExample = (dataset: string) =>
  useAction(datasetNames, ({ client, tenant }, example: string) =>
    client.DELETE(`${examplesPath}/{example}`, { params: { path: { tenant, dataset, example } } }),
  );

/** Adds examples with the inputs and outputs of executions to a dataset. */
export const useAddFromExecutions = () =>
  useAction(
    datasetNames,
    ({ client, tenant }, { dataset, body }: { dataset: string; body: AddFromExecutionsBody }) =>
      unwrapBody(
        client.POST(`${examplesPath}:from-executions`, {
          params: { path: { tenant, dataset } },
          body,
        }),
      ),
  );
