import { Button, Center, Group, NativeSelect, Skeleton, Stack } from "@mantine/core";
import { useEffect } from "react";
import { EmptyState } from "../shared/empty-state.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { DeployLink } from "./deploy-link.tsx";
import { Regression } from "./regression.tsx";
import type { ExperimentSearch } from "./search.ts";
import type { ExperimentDetail } from "./use-experiments.ts";
import { useResults } from "./use-experiments.ts";

type RegressionsTabProps = {
  experiment: ExperimentDetail;
  search: ExperimentSearch;
  onChange: (search: ExperimentSearch) => void;
};

/** Lists the examples with lower scores in one revision than in another, with both outputs. */
export const RegressionsTab = ({ experiment, search, onChange }: RegressionsTabProps) => {
  const { revisions, scorers } = experiment;
  const against = revisions.find((revision) => revision === search.against) ?? revisions[0];
  const others = revisions.filter((revision) => revision !== against);
  const revision = others.find((other) => other === search.revision) ?? others.at(-1);
  const scorer = scorers.find((candidate) => candidate === search.scorer);
  const named = (value: number) => ({ value: String(value), label: `Revision ${value}` });
  const list = useResults(experiment.id, { revision, regressedFrom: against, scorer }, 0);
  const { items, hasMore, isLoadingMore, isLoading, error, loadMore } = list;
  const isSearching = items.length === 0 && hasMore && !error;
  useEffect(() => {
    // Pages without a regression are read on.
    if (isSearching && !isLoadingMore) loadMore();
  });
  return (
    <Stack>
      <Group align="flex-end">
        <NativeSelect
          label="Regressions in"
          data={others.map(named)}
          value={String(revision)}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...search, tab: "regressions", revision: Number(value) })
          }
        />
        <NativeSelect
          label="Compared with"
          data={revisions.map(named)}
          value={String(against)}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...search, tab: "regressions", against: Number(value) })
          }
        />
        <NativeSelect
          label="Scorer"
          data={[{ value: "", label: "any" }, ...scorers]}
          value={scorer ?? ""}
          onChange={({ currentTarget: { value } }) => {
            const { scorer: _, ...rest } = search;
            onChange({ ...rest, tab: "regressions", ...(value !== "" && { scorer: value }) });
          }}
        />
        {revision !== undefined && <DeployLink experiment={experiment} revision={revision} />}
      </Group>
      <ReadProblem error={error} />
      {(isLoading || isSearching) && <Skeleton height={120} role="status" aria-label="Loading" />}
      {items.length === 0 && !isLoading && !hasMore && !error && (
        <EmptyState title="No regressions">
          No example has a lower score in revision {revision} than in revision {against}.
        </EmptyState>
      )}
      {items.map((result) => (
        <Regression key={result.exampleId} experiment={experiment} result={result} />
      ))}
      {hasMore && items.length > 0 && (
        <Center>
          <Button variant="default" loading={isLoadingMore} onClick={loadMore}>
            Load more
          </Button>
        </Center>
      )}
    </Stack>
  );
};
