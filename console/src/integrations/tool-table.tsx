import { Button, Code, Text } from "@mantine/core";
import { useState } from "react";
import type { IntegrationTool } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { RunToolDialog } from "./run-tool-dialog.tsx";
import { type ToolSource, useTools } from "./use-integrations.ts";

const columns: readonly Column<IntegrationTool>[] = [
  {
    header: "Tool",
    cell: ({ displayName, description }) => (
      <>
        {displayName}
        {description !== displayName && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {description}
          </Text>
        )}
      </>
    ),
  },
  { header: "ID", cell: ({ id }) => <Code>{id}</Code>, isSecondary: true },
  {
    header: "Parameters",
    isSecondary: true,
    cell: ({ parametersMetadata }) =>
      parametersMetadata.map(({ name, required }) => (required ? name : `${name}?`)).join(", ") ||
      "none",
  },
  {
    header: "Effect",
    cell: ({ actionType }) => (actionType === "ReadOnly" ? "Reads" : "Reads and writes"),
  },
];

/** Lists the tools of a source, and runs them. */
export const ToolTable = ({ source }: { source: ToolSource }) => {
  const mayRun = useMay()("tools:test");
  const list = useTools(source);
  const [run, setRun] = useState<IntegrationTool>();
  return (
    <>
      <ResourceTable
        label="Tools"
        list={list}
        getId={({ id }) => id}
        columns={columns}
        actions={
          mayRun
            ? (tool) => (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`Run ${tool.displayName}`}
                  onClick={() => setRun(tool)}
                >
                  Run
                </Button>
              )
            : undefined
        }
        empty={
          <EmptyState title="No tools">
            The document or the server describes none, or “Operations” selects none.
          </EmptyState>
        }
      />
      {run && (
        <RunToolDialog tool={run} configId={source.configId} onClose={() => setRun(undefined)} />
      )}
    </>
  );
};
