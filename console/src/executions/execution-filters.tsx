import { Button, Group, NativeSelect } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Filters } from "../shared/filters.tsx";
import { fieldError } from "../shared/problem.ts";
import { statusText } from "../shared/status-text.ts";
import { DayField } from "./day-field.tsx";
import type { ExecutionSearch } from "./search.ts";
import { statuses } from "./statuses.ts";
import { TypedFilter } from "./typed-filter.tsx";
import { ViewMenu } from "./view-menu.tsx";

type ExecutionFiltersProps = {
  search: ExecutionSearch;
  /** The error of the list. */
  error: unknown;
  /** Changes filters; others stay as they are. */
  onChange: (changed: ExecutionSearch) => void;
  /** Fields before the others. */
  filters?: ReactNode;
};

const noFilters: ExecutionSearch = {
  agent: undefined,
  status: undefined,
  from: undefined,
  to: undefined,
  error: undefined,
  text: undefined,
  minCost: undefined,
  score: undefined,
  metadata: undefined,
};

/** Fields that filter executions, and named views of them. */
export const ExecutionFilters = ({ search, error, onChange, filters }: ExecutionFiltersProps) => {
  const { text, minCost, score, metadata } = search;
  const [isOpen, setIsOpen] = useState(false);
  const hasMore = isOpen || [text, minCost, score, metadata].some((value) => value !== undefined);
  return (
    <>
      <Group align="flex-end" justify="space-between">
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
            error={fieldError(error, "query/startTime")}
            onChange={(from) => onChange({ from })}
          />
          <DayField
            label="Last day"
            day={search.to}
            error={fieldError(error, "query/endTime")}
            onChange={(to) => onChange({ to })}
          />
          <TypedFilter
            label="Error contains"
            placeholder="rate limit"
            value={search.error}
            error={fieldError(error, "query/error")}
            onChange={(value) => onChange({ error: value })}
          />
        </Filters>
        <Group gap="sm">
          {!hasMore && (
            <Button variant="default" onClick={() => setIsOpen(true)}>
              More filters
            </Button>
          )}
          <ViewMenu search={search} onOpen={(view) => onChange({ ...noFilters, ...view })} />
        </Group>
      </Group>
      {hasMore && (
        <Filters>
          <TypedFilter
            label="Input or output contains"
            placeholder="order 4711"
            value={text}
            error={fieldError(error, "query/text")}
            onChange={(value) => onChange({ text: value })}
          />
          <TypedFilter
            label="Minimum cost ($)"
            placeholder="0.50"
            inputMode="decimal"
            value={minCost}
            error={fieldError(error, "query/minCost")}
            onChange={(value) => onChange({ minCost: value })}
          />
          <TypedFilter
            label="Score"
            placeholder="helpful=false or quality<=0.5"
            value={score}
            error={scoreError(score)}
            onChange={(value) => onChange({ score: value })}
          />
          <TypedFilter
            label="Metadata"
            placeholder="ticket=7"
            value={metadata}
            error={metadataError(metadata)}
            onChange={(value) => onChange({ metadata: value })}
          />
        </Filters>
      )}
    </>
  );
};

const scoreError = (score: string | undefined): string | undefined =>
  score === undefined || /^[^=<>]+(>=|<=|=).+$/.test(score)
    ? undefined
    : "Enter NAME=VALUE, NAME>=NUMBER or NAME<=NUMBER.";

const metadataError = (metadata: string | undefined): string | undefined =>
  metadata === undefined || metadata.indexOf("=") > 0 ? undefined : "Enter NAME=VALUE.";
