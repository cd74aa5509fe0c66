import {
  Anchor,
  Button,
  Center,
  Code,
  Group,
  NativeSelect,
  Paper,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
} from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import type { ExperimentResult } from "../../../client/openapi.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { formatScore } from "../shared/format.ts";
import { JsonView } from "../shared/json-view.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
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
          label="What fell in"
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
          label="By scorer"
          data={[{ value: "", label: "any" }, ...scorers]}
          value={scorer ?? ""}
          onChange={({ currentTarget: { value } }) => {
            const { scorer: _, ...rest } = search;
            onChange({ ...rest, tab: "regressions", ...(value !== "" && { scorer: value }) });
          }}
        />
      </Group>
      <ReadProblem error={error} />
      {(isLoading || isSearching) && <Skeleton height={120} role="status" aria-label="Loading" />}
      {items.length === 0 && !isLoading && !hasMore && !error && (
        <EmptyState title="Nothing fell">
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

type RegressionProps = { experiment: ExperimentDetail; result: ExperimentResult };

const Regression = ({ experiment, result }: RegressionProps) => {
  const { exampleId, regressions, baseline, scores } = result;
  const comments = scores.filter(
    ({ scorer, comment }) =>
      comment && regressions?.some((regression) => regression.scorer === scorer),
  );
  return (
    <Paper withBorder p="md" component="article" aria-label={`Example ${exampleId}`}>
      <Stack gap="xs">
        <Group gap="xs">
          <Code style={{ overflowWrap: "anywhere" }}>{exampleId}</Code>
          {regressions?.map(({ scorer, before, after }) => (
            <Text key={scorer} size="sm" fw={600}>
              {scorer}: {formatScore(before)} to {formatScore(after)}
            </Text>
          ))}
        </Group>
        {comments.map(({ scorer, comment }) => (
          <Text key={scorer} size="sm">
            {scorer}: {comment}
          </Text>
        ))}
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {baseline && <Output agent={experiment.agentId} run={baseline} />}
          <Output agent={experiment.agentId} run={result} />
        </SimpleGrid>
      </Stack>
    </Paper>
  );
};

type OutputProps = {
  agent: string;
  run: Pick<ExperimentResult, "revision" | "executionId" | "status" | "output">;
};

const Output = ({ agent, run }: OutputProps) => {
  const tenant = useTenant();
  const { revision, executionId, status, output } = run;
  return (
    <Stack gap={4}>
      <JsonView label={`Output of revision ${revision}`} value={output} maxHeight={200} />
      <Text size="sm">
        {status !== "Succeeded" && `${status}. `}
        {executionId !== null && (
          <Anchor
            size="sm"
            component={Link}
            to={`/t/${tenant}/executions/${agent}/${executionId}`}
            aria-label={`Open the execution of revision ${revision}`}
          >
            Open the execution
          </Anchor>
        )}
      </Text>
    </Stack>
  );
};
