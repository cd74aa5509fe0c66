import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { CreateDatasetBody, Dataset } from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const datasetsPath = "/v1/tenants/{tenant}/datasets";
const datasetPath = `${datasetsPath}/{dataset}` as const;

/** Names in the keys of data that depends on a dataset or its examples. */
export const datasetNames = ["datasets", "dataset", "examples"] as const;

/** Lists the datasets. */
export const useDatasets = () => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Dataset>({
    queryKey: [tenant, "datasets"],
    getId: ({ id }) => id,
    read: (query) => unwrapBody(client.GET(datasetsPath, { params: { path: { tenant }, query } })),
  });
};

/** Reads a dataset. */
export const useDataset = (dataset: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "dataset", dataset],
    queryFn: () => unwrapBody(client.GET(datasetPath, { params: { path: { tenant, dataset } } })),
  });
};

/** Creates a dataset, or changes the one with this id. */
export const useSaveDataset = (dataset?: string) =>
  useAction(
    datasetNames,
    ({ client, tenant }, body: CreateDatasetBody) =>
      dataset === undefined
        ? unwrapBody(client.POST(datasetsPath, { params: { path: { tenant } }, body }))
        : unwrapBody(client.PATCH(datasetPath, { params: { path: { tenant, dataset } }, body })),
    { done: ({ displayName }) => (dataset === undefined ? undefined : `Saved ${displayName}.`) },
  );

/** Deletes a dataset. Leave its page before: it does not exist any more. */
export const useDeleteDataset = (dataset: string) =>
  useAction(
    ["datasets"],
    ({ client, tenant }) => client.DELETE(datasetPath, { params: { path: { tenant, dataset } } }),
    { removed: ["dataset", dataset] },
  );
