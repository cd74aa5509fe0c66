import { Alert, Anchor, Button, Code, Group } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Dataset } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { useMayStart } from "../session/use-may-start.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Facts } from "../shared/facts.tsx";
import { formatCount } from "../shared/format.ts";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { Time } from "../shared/time.tsx";
import { DatasetMenu } from "./dataset-menu.tsx";
import { ExampleDialog } from "./example-dialog.tsx";
import { ExampleFilters } from "./example-filters.tsx";
import { ExampleTable } from "./example-table.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { useDataset } from "./use-datasets.ts";
import { useExamples } from "./use-examples.ts";

const route = getRouteApi("/t/$tenant/datasets/$dataset");

/** Shows the examples of a version of a dataset, with inline editing. */
export const DatasetPage = () => {
  const { tenant, dataset: id } = route.useParams();
  const { data: dataset, error } = useDataset(id);
  if (error && !dataset) return <ReadProblem error={error} />;
  if (!dataset) return <PageLoader />;
  return (
    <Page
      title={dataset.displayName}
      back={`/t/${tenant}/datasets`}
      description={<DatasetFacts dataset={dataset} />}
      actions={<DatasetActions dataset={dataset} />}
    >
      <ReadProblem error={error} />
      <Examples key={dataset.id} dataset={dataset} />
    </Page>
  );
};

const DatasetFacts = ({ dataset }: { dataset: Dataset }) => (
  <>
    {dataset.description && <div>{dataset.description}</div>}
    <Facts>
      <Code>{dataset.id}</Code>
      <span>
        {dataset.exampleCount === 1 ? "1 example" : `${formatCount(dataset.exampleCount)} examples`}
      </span>
      <span>Version {formatCount(dataset.version)}</span>
      <span>
        Changed <Time value={dataset.modifiedAt} />
      </span>
      {dataset.inputSchema !== null && <span>Inputs are checked by a schema</span>}
    </Facts>
  </>
);

const DatasetActions = ({ dataset }: { dataset: Dataset }) => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const mayWrite = useMay()("datasets:write");
  const [open, setOpen] = useState<"import" | "add">();
  const close = (): void => setOpen(undefined);
  const mayStart = useMayStart();
  if (!mayWrite) return null;
  return (
    <>
      {mayStart && (
        <Button
          onClick={() =>
            void navigate({
              to: "/t/$tenant/experiments/new",
              params: { tenant },
              search: { dataset: dataset.id },
            })
          }
        >
          Start experiment
        </Button>
      )}
      <Button variant="default" onClick={() => setOpen("import")}>
        Import file
      </Button>
      <Button variant="default" onClick={() => setOpen("add")}>
        Add example
      </Button>
      <DatasetMenu
        dataset={dataset}
        onDeleted={() => void navigate({ to: "/t/$tenant/datasets", params: { tenant } })}
      />
      {open === "import" && <ImportDialog dataset={dataset} onClose={close} />}
      {open === "add" && <ExampleDialog dataset={dataset.id} onClose={close} />}
    </>
  );
};

const Examples = ({ dataset }: { dataset: Dataset }) => {
  const tenant = useTenant();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMay()("datasets:write");
  const list = useExamples(dataset.id, search);
  const { version, split } = search;
  const isNewest = version === undefined || version >= dataset.version;
  return (
    <>
      <Group align="flex-end">
        <ExampleFilters
          dataset={dataset}
          search={search}
          examples={list.items}
          onChange={(next) => void navigate({ search: next, replace: true })}
        />
      </Group>
      {!isNewest && (
        <Alert variant="outline" title={`Version ${formatCount(version)}`}>
          Earlier versions stay as they are.{" "}
          <Anchor
            component={Link}
            underline="always"
            to={`/t/${tenant}/datasets/${encodeURIComponent(dataset.id)}`}
          >
            Show newest version
          </Anchor>{" "}
          to change examples.
        </Alert>
      )}
      <ExampleTable
        dataset={dataset.id}
        list={list}
        mayEdit={mayWrite && isNewest}
        empty={
          split === undefined ? (
            <EmptyState title="No examples">
              Import a file, add an example, or select executions and choose “Add to dataset”.
            </EmptyState>
          ) : (
            <EmptyState title="No examples">No example of this version has this split.</EmptyState>
          )
        }
      />
    </>
  );
};
