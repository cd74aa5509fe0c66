import { Button, Group, SimpleGrid, Stack } from "@mantine/core";
import { useUploading } from "../../shared/files/use-uploading.ts";
import { FormFromSchema, parseValues } from "../../shared/form-from-schema.tsx";
import { RunGraph } from "./run-graph.tsx";
import { RunResult } from "./run-result.tsx";
import type { TriedProps } from "./tried.ts";
import { isRunning, useRun } from "./use-run.ts";

/** Runs a revision with a form for its inputs. */
export const RunForm = (props: TriedProps) => {
  const { agent, revision, testRevision, texts, onTexts, children } = props;
  const { run, start } = useRun(agent.id);
  const { isUploading, report } = useUploading();
  const submit = () =>
    start({ input: parseValues(revision.parametersMetadata, texts), revision: testRevision });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Stack>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!isUploading) void submit();
          }}
        >
          <Stack>
            {children}
            <FormFromSchema
              fields={revision.parametersMetadata}
              texts={texts}
              onChange={onTexts}
              error={run?.error}
              pointer="/input"
              onUploading={report}
            />
            <Group>
              <Button
                type="submit"
                disabled={isUploading}
                loading={run !== undefined && isRunning(run)}
              >
                Run
              </Button>
            </Group>
          </Stack>
        </form>
        {run && <RunResult run={run} agent={agent.id} />}
      </Stack>
      <RunGraph agent={agent.id} revision={revision} run={run} />
    </SimpleGrid>
  );
};
