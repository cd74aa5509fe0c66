import { Anchor, Button, Group, NativeSelect, Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { ExecutionRecord } from "../../../client/openapi.ts";
import { AddToDatasetDialog } from "../datasets/add-to-dataset-dialog.tsx";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Filters } from "../shared/filters.tsx";
import { formatCount, formatDuration, formatKnownCost, formatTime } from "../shared/format.ts";
import { fieldError } from "../shared/problem.ts";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { problemText, statusText } from "../shared/status-text.ts";
import { Time } from "../shared/time.tsx";
import { DayField } from "./day-field.tsx";
import classes from "./execution-table.module.css";
import type { ExecutionSearch } from "./search.ts";
import { statuses, statusKinds, triggerNames } from "./status.ts";
import { useExecutions } from "./use-executions.ts";

type ExecutionTableProps = {
  /** The agent; absent for the executions of all agents. */
  agent?: string | undefined;
  /** Filters of the address. */
  search: ExecutionSearch;
  /** Changes filters; others stay as they are. */
  onChange: (changed: ExecutionSearch) => void;
  /** Fields next to those of the filters. */
  filters?: ReactNode;
};

/** Shows why an execution failed in one line; its type and what did not fit on hover. */
const Reason = ({ errorType, errorDetail }: ExecutionRecord) => {
  if (errorType === null) return null;
  const name = problemText(errorType);
  return (
    <span
      className={classes.reason}
      title={errorDetail === null ? name : `${name}: ${errorDetail}`}
    >
      {errorDetail ?? name}
    </span>
  );
};

const agentColumn: Column<ExecutionRecord> = {
  header: "Agent",
  cell: ({ agentId }) => (
    <span className={classes.agent} title={agentId}>
      {agentId}
    </span>
  ),
};

const buildColumns = (tenant: string, isOfAll: boolean): Column<ExecutionRecord>[] => [
  {
    header: "Started",
    cell: ({ id, agentId, startTime }) => (
      <Anchor component={Link} to={`/t/${tenant}/executions/${agentId}/${id}`}>
        <Time value={startTime} isExact />
      </Anchor>
    ),
  },
  ...(isOfAll ? [agentColumn] : []),
  {
    header: "Status",
    cell: ({ status }) => <StatusBadge status={status} kind={statusKinds[status]} />,
  },
  {
    header: "Error",
    cell: (execution) => execution.errorType && <Reason {...execution} />,
    isSecondary: true,
    isWide: true,
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

/** Lists executions; those of one agent that are selected can be added to a dataset. */
export const ExecutionTable = ({ agent, search, onChange, filters }: ExecutionTableProps) => {
  const tenant = useTenant();
  const list = useExecutions({ ...search, agent });
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
            value={search.status ?? ""}
            data={[
              { value: "", label: "All" },
              ...statuses.map((value) => ({ value, label: statusText(value) })),
            ]}
            onChange={({ currentTarget }) =>
              onChange({ status: statuses.find((status) => status === currentTarget.value) })
            }
          />
          <DayField
            label="First day"
            day={search.from}
            error={fieldError(list.error, "query/startTime")}
            onChange={(from) => onChange({ from })}
          />
          <DayField
            label="Last day"
            day={search.to}
            error={fieldError(list.error, "query/endTime")}
            onChange={(to) => onChange({ to })}
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
        columns={buildColumns(tenant, agent === undefined)}
        actions={
          mayAdd && agent !== undefined
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
            {(search.status ?? search.from ?? search.to)
              ? "No execution has this status and was started on these days."
              : "Run an agent in “Try it”, by the API or by a webhook: its executions appear here."}
          </EmptyState>
        }
      />
      {isAdding && agent !== undefined && (
        <AddToDatasetDialog
          agent={agent}
          executionIds={selected}
          onClose={() => setIsAdding(false)}
        />
      )}
    </Stack>
  );
};
