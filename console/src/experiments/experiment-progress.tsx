import { Paper, Progress, Stack, Text } from "@mantine/core";
import { formatCount } from "../shared/format.ts";
import type { ExperimentDetail } from "./use-experiments.ts";

/** Shows how far an experiment is. */
export const ExperimentProgress = ({ experiment }: { experiment: ExperimentDetail }) => {
  const { completed, total, failed } = experiment.progress;
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Progress
          value={total === null || total === 0 ? 0 : (100 * completed) / total}
          aria-label="Runs that have a result"
        />
        <Text size="sm" aria-live="polite">
          {total === null
            ? `${formatCount(completed)} runs`
            : `${formatCount(completed)} of ${formatCount(total)} runs`}
          {failed > 0 && `, ${formatCount(failed)} failed`}. The summary appears when all runs have
          ended.
        </Text>
      </Stack>
    </Paper>
  );
};
