import { Anchor, Button, Group, NativeSelect, Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { ExecutionRecord, ExecutionStatus } from "../../../client/openapi.ts";
import { AddToDatasetDialog } from "../datasets/add-to-dataset-dialog.tsx";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Filters } from "../shared/filters.tsx";
import { formatCount, formatDuration, formatKnownCost, formatTime } from "../shared/format.ts";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { problemText, statusText } from "../shared/status-text.ts";
import { Time } from "../shared/time.tsx";
import { statuses, statusKinds, triggerNames } from "./status.ts";
import { useExecutions } from "./use-executions.ts";

type ExecutionTableProps = {
  agent: string;
  status: ExecutionStatus | undefined;
  onStatus: (status: ExecutionStatus | undefined) => void;
  /** Fields next to the status. */
  filters?: ReactNode;
};

const buildColumns = (tenant: string): Column<ExecutionRecord>[] => [
  {
    header: "Started",
    cell: ({ id, agentId, startTime }) => (
      <Anchor component={Link} to={`/t/${tenant}/executions/${agentId}/${id}`}>
        <Time value={startTime} isExact />
      </Anchor>
    ),
  },
  {
    header: "Status",
    cell: ({ status }) => <StatusBadge status={status} kind={statusKinds[status]} />,
  },
  {
    header: "Error",
    cell: ({ errorType }) => errorType && problemText(errorType),
    isSecondary: true,
  },
  {
    header: "Duration",
    isNumber: true,
    cell: ({ startTime, endTime }) => (endTime === null ? "" : formatDuration(endTime - startTime)),
  },
  {
    header: "Tokens",
    isNumber: true,
    isSecondary: true,
    cell: ({ inputTokens, outputTokens }) => formatCount(inputTokens + outputTokens),
  },
  {
    header: "Cost",
    isNumber: true,
    isSecondary: true,
    cell: ({ totalCost, priced }) => formatKnownCost(totalCost, priced),
  },
  {
    header: "Trigger",
    isSecondary: true,
    cell: ({ trigger }) => triggerNames[trigger.type] ?? String(trigger.type),
  },
  {
    header: "Revision",
    isNumber: true,
    isSecondary: true,
    cell: ({ agentRevision }) => agentRevision,
  },
];

const none: ReadonlySet<string> = new Set();

/** Lists the executions of an agent; those that are selected can be added to a dataset. */
export const ExecutionTable = ({ agent, status, onStatus, filters }: ExecutionTableProps) => {
  const tenant = useTenant();
  const list = useExecutions(agent, { status });
  const mayAdd = useMay()("datasets:write");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(none);
  const [isAdding, setIsAdding] = useState(false);
  const toggle = ({ id }: ExecutionRecord): void =>
    setChosen(new Set([id]).symmetricDifference(chosen));
  // Only listed executions: the agent or the status may have changed.
  const selected = list.items.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  return (
    <Stack>
      <Group align="flex-end">
        <Filters>
          {filters}
          <NativeSelect
            label="Status"
            value={status ?? ""}
            data={[
              { value: "", label: "All" },
              ...statuses.map((value) => ({ value, label: statusText(value) })),
            ]}
            onChange={({ currentTarget }) =>
              onStatus(statuses.find((status) => status === currentTarget.value))
            }
          />
        </Filters>
        {selected.length > 0 && (
          <Button variant="default" onClick={() => setIsAdding(true)}>
            Add {selected.length} to dataset
          </Button>
        )}
      </Group>
      <ResourceTable
        label="Executions"
        list={list}
        getId={({ id }) => id}
        columns={buildColumns(tenant)}
        actions={
          mayAdd
            ? (execution) => (
                <input
                  type="checkbox"
                  aria-label={`Select the execution of ${formatTime(execution.startTime)}`}
                  checked={chosen.has(execution.id)}
                  onChange={() => toggle(execution)}
                />
              )
            : undefined
        }
        empty={
          <EmptyState title="No executions">
            {status === undefined
              ? "Run the agent in “Try it”, by the API or by a webhook: its executions appear here."
              : `No execution has the status “${statusText(status)}”.`}
          </EmptyState>
        }
      />
      {isAdding && (
        <AddToDatasetDialog
          agent={agent}
          executionIds={selected}
          onClose={() => setIsAdding(false)}
        />
      )}
    </Stack>
  );
};
