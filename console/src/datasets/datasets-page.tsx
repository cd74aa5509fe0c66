import { Anchor, Button, Text } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Dataset } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { formatCount } from "../shared/format.ts";
import { isEmptyList } from "../shared/is-empty-list.ts";
import { Page } from "../shared/page.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { Time } from "../shared/time.tsx";
import { DatasetDialog } from "./dataset-dialog.tsx";
import { DatasetMenu } from "./dataset-menu.tsx";
import { useDatasets } from "./use-datasets.ts";

const buildColumns = (tenant: string): Column<Dataset>[] => [
  {
    header: "Dataset",
    cell: ({ id, displayName, description }) => (
      <>
        <Anchor
          display="block"
          component={Link}
          to={`/t/${tenant}/datasets/${encodeURIComponent(id)}`}
        >
          {displayName}
        </Anchor>
        {description && (
          <Text size="sm" c="dimmed" lineClamp={1}>
            {description}
          </Text>
        )}
      </>
    ),
  },
  { header: "Examples", isNumber: true, cell: ({ exampleCount }) => formatCount(exampleCount) },
  { header: "Version", isNumber: true, cell: ({ version }) => formatCount(version) },
  { header: "Changed", isSecondary: true, cell: ({ modifiedAt }) => <Time value={modifiedAt} /> },
  { header: "Created", isSecondary: true, cell: ({ createdAt }) => <Time value={createdAt} /> },
];

/** Lists the datasets. */
export const DatasetsPage = () => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const mayWrite = useMay()("datasets:write");
  const list = useDatasets();
  const [isCreating, setIsCreating] = useState(false);
  const create = mayWrite && <Button onClick={() => setIsCreating(true)}>Create dataset</Button>;
  return (
    <Page
      title="Datasets"
      description="Examples of inputs with expected outputs, to compare revisions."
      actions={!isEmptyList(list) && create}
    >
      <ResourceTable
        label="Datasets"
        list={list}
        getId={({ id }) => id}
        columns={buildColumns(tenant)}
        actions={mayWrite ? (dataset) => <DatasetMenu dataset={dataset} /> : undefined}
        empty={
          <EmptyState title="No datasets yet" docs="datasets" action={create}>
            Create a dataset, then add examples: import a file, or select executions and choose “Add
            to dataset”.
          </EmptyState>
        }
      />
      {isCreating && (
        <DatasetDialog
          onSaved={({ id }) =>
            void navigate({ to: "/t/$tenant/datasets/$dataset", params: { tenant, dataset: id } })
          }
          onClose={() => setIsCreating(false)}
        />
      )}
    </Page>
  );
};
