import { Anchor, Button, Group, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTenant } from "../../../session/tenant.ts";
import { Facts } from "../../../shared/facts.tsx";
import { useUploading } from "../../../shared/files/use-uploading.ts";
import { FormFromSchema } from "../../../shared/form-from-schema.tsx";
import { formatCount, formatDuration, formatKnownCost } from "../../../shared/format.ts";
import { JsonView } from "../../../shared/json-view.tsx";
import { ProblemAlert } from "../../../shared/problem-alert.tsx";
import { RunStatus, Waiting } from "../../try-it/run-result.tsx";
import { readLiveText } from "../../try-it/use-run.ts";
import { ownUndo } from "../use-editor-keys.ts";
import type { DraftRun } from "./use-draft-run.ts";

type RunPanelProps = { agent: string; draftRun: DraftRun; className: string | undefined };

/** Runs the draft with a form for its inputs, and shows how the run stands. */
export const RunPanel = ({ agent, draftRun, className }: RunPanelProps) => {
  const { run, isBusy, begin, stop, fields, texts, setTexts } = draftRun;
  const { isUploading, report } = useUploading();
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label="Run of the draft"
      className={className ?? ""}
      {...ownUndo}
    >
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!isBusy && !isUploading) begin();
          }}
        >
          <Stack gap="sm">
            <FormFromSchema
              fields={fields}
              texts={texts}
              onChange={setTexts}
              error={run?.error}
              pointer="/input"
              onUploading={report}
            />
            <Group gap="xs">
              <Button type="submit" disabled={isUploading} loading={isBusy}>
                Run draft
              </Button>
              {isBusy && (
                <Button variant="default" onClick={() => void stop()}>
                  Stop
                </Button>
              )}
            </Group>
          </Stack>
        </form>
        <RunState agent={agent} draftRun={draftRun} />
      </SimpleGrid>
    </Paper>
  );
};

type RunStateProps = { agent: string; draftRun: DraftRun };

const RunState = ({ agent, draftRun }: RunStateProps) => {
  const tenant = useTenant();
  const { run, only, used, durationMs } = draftRun;
  if (!run) {
    return (
      <Text size="sm" c="dimmed">
        Runs the draft without saving it. Each step then shows its status, output, time and cost.
      </Text>
    );
  }
  const { status, executionId, until, output, error } = run;
  const text = readLiveText(run.states);
  return (
    <Stack gap="xs" aria-live="polite">
      <Text component="div" size="sm">
        <Facts>
          <RunStatus status={status} />
          {only !== undefined && <span>step {only}</span>}
          {durationMs !== undefined && <span>{formatDuration(durationMs)}</span>}
          {used && <span>{formatCount(used.tokens)} tokens</span>}
          {used && <span>{formatKnownCost(used.cost, used.priced)}</span>}
          {executionId !== undefined && (
            <Anchor component={Link} to={`/t/${tenant}/executions/${agent}/${executionId}`}>
              Open execution
            </Anchor>
          )}
        </Facts>
      </Text>
      {status === "Waiting" && executionId !== undefined && (
        <Waiting executionId={executionId} until={until} />
      )}
      {error instanceof Error && <ProblemAlert error={error} shownAt={["/input"]} />}
      {status !== "Succeeded" && text !== undefined && (
        <JsonView label="Text so far" value={text} />
      )}
      {status === "Succeeded" && <JsonView label="Output" value={output} maxHeight={200} />}
    </Stack>
  );
};
