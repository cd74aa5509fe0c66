import { Anchor, Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { ExecutionRecord } from "../../../client/openapi.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { formatCount, formatDuration, formatKnownCost, formatTime } from "../shared/format.ts";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { problemText } from "../shared/status-text.ts";
import { Time } from "../shared/time.tsx";
import { ExecutionFilters } from "./execution-filters.tsx";
import classes from "./execution-table.module.css";
import { type ExecutionSearch, isFiltered } from "./search.ts";
import { SelectedActions } from "./selected-actions.tsx";
import { statusKinds, triggerNames } from "./status.ts";
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

/** Lists executions; those that are selected can be run again, cancelled or added to a dataset. */
export const ExecutionTable = ({ agent, search, onChange, filters }: ExecutionTableProps) => {
  const tenant = useTenant();
  const list = useExecutions({ ...search, agent });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(none);
  const toggle = ({ id }: ExecutionRecord): void =>
    setChosen(new Set([id]).symmetricDifference(chosen));
  // Only listed executions: the agent or the filters may have changed.
  const selected = list.items.filter(({ id }) => chosen.has(id));
  return (
    <Stack>
      <ExecutionFilters search={search} error={list.error} onChange={onChange} filters={filters} />
      {selected.length > 0 && (
        <SelectedActions selected={selected} onDone={() => setChosen(none)} />
      )}
      <ResourceTable
        label="Executions"
        list={list}
        getId={({ id }) => id}
        columns={buildColumns(tenant, agent === undefined)}
        actions={(execution) => (
          <input
            type="checkbox"
            aria-label={`Select the execution of ${formatTime(execution.startTime)}`}
            checked={chosen.has(execution.id)}
            onChange={() => toggle(execution)}
          />
        )}
        empty={
          <EmptyState title="No executions">
            {isFiltered(search)
              ? "No executions match the filters. Remove a filter."
              : "Run an agent in “Try it”, by the API or by a webhook: its executions appear here."}
          </EmptyState>
        }
      />
    </Stack>
  );
};
