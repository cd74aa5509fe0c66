import { Anchor, Code, Group, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import type { ExperimentResult } from "../../../client/openapi.ts";
import { useExample } from "../datasets/use-examples.ts";
import { useTenant } from "../session/tenant.ts";
import { formatScore } from "../shared/format.ts";
import { JsonView } from "../shared/json-view.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { WordDiff } from "../shared/word-diff.tsx";
import type { ExperimentDetail } from "./use-experiments.ts";

type RegressionProps = { experiment: ExperimentDetail; result: ExperimentResult };

/** An example with lower scores: its input, the expected output, and how the outputs of the revisions differ. */
export const Regression = ({ experiment, result }: RegressionProps) => {
  const { exampleId, regressions, baseline, scores } = result;
  // A long list reads only the examples that are seen.
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const { datasetId, version } = experiment;
  const example = useExample(datasetId, { example: exampleId, version }, inViewport);
  const comments = scores.filter(
    ({ scorer, comment }) =>
      comment && regressions?.some((regression) => regression.scorer === scorer),
  );
  return (
    <Paper withBorder p="md" component="article" ref={ref} aria-label={`Example ${exampleId}`}>
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
        <ReadProblem error={example.error} />
        {example.data && (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <JsonView label="Input" value={example.data.input} maxHeight={200} />
            <JsonView label="Expected" value={example.data.expected} maxHeight={200} />
          </SimpleGrid>
        )}
        {baseline && (
          <WordDiff
            label={`From revision ${baseline.revision} to revision ${result.revision}`}
            before={formatOutput(baseline.output)}
            after={formatOutput(result.output)}
          />
        )}
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {baseline && <Output agent={experiment.agentId} run={baseline} />}
          <Output agent={experiment.agentId} run={result} />
        </SimpleGrid>
      </Stack>
    </Paper>
  );
};

const formatOutput = (output: unknown): string =>
  typeof output === "string" ? output : (JSON.stringify(output, null, 2) ?? "");

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
            aria-label={`Open trace of revision ${revision}`}
          >
            Open trace
          </Anchor>
        )}
      </Text>
    </Stack>
  );
};
