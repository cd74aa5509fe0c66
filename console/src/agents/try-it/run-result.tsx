import { Anchor, Fieldset, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { listApprovers } from "../../approval-queries/list-approvers.ts";
import { usePendingApprovals } from "../../approval-queries/use-approvals.ts";
import { DecideForm } from "../../approvals/decide-form.tsx";
import { Citations } from "../../executions/citations.tsx";
import { statusKinds } from "../../executions/status.ts";
import { useTenant } from "../../session/tenant.ts";
import { JsonView } from "../../shared/json-view.tsx";
import { ProblemAlert } from "../../shared/problem-alert.tsx";
import { StatusBadge } from "../../shared/status-badge.tsx";
import { Time } from "../../shared/time.tsx";
import type { Run } from "./use-run.ts";

/** Shows how a run stands, what it waits for, and its output. */
export const RunResult = ({ run, agent }: { run: Run; agent: string }) => {
  const tenant = useTenant();
  const { status, executionId, until, output, citations = [], error } = run;
  return (
    <Stack aria-live="polite">
      <Group>
        <RunStatus status={status} />
        {executionId !== undefined && (
          <Anchor component={Link} to={`/t/${tenant}/executions/${agent}/${executionId}`}>
            Open execution
          </Anchor>
        )}
      </Group>
      {status === "Running" && <Text size="sm">The agent is running.</Text>}
      {status === "Waiting" && executionId !== undefined && (
        <Waiting executionId={executionId} until={until} />
      )}
      {error instanceof Error && <ProblemAlert error={error} shownAt={["/input"]} />}
      {status === "Succeeded" && <JsonView label="Output" value={output} />}
      {status === "Succeeded" && (
        <Citations label="Sources found" citations={citations} hasPassages />
      )}
    </Stack>
  );
};

/** Shows the status of a run. */
export const RunStatus = ({ status }: Pick<Run, "status">) => (
  <StatusBadge status={status} kind={status === "Starting" ? "busy" : statusKinds[status]} />
);

/** Shows what a run waits for; the user decides its approvals here. */
export const Waiting = ({ executionId, until }: { executionId: string; until: Run["until"] }) => {
  const tenant = useTenant();
  const { data: approvals } = usePendingApprovals(executionId);
  const isPending = (asked: string): boolean => approvals?.some(({ id }) => id === asked) === true;
  return (
    <>
      <Text size="sm">
        The execution waits
        {until?.approvals.every(isPending) && (
          <>
            {" "}
            until <Time value={until.time} isExact /> at the latest
          </>
        )}
        , and then continues here.
      </Text>
      {approvals?.map((approval) => (
        <Fieldset key={approval.id} legend={approval.title} p="sm">
          <Stack>
            {approval.message !== null && (
              <Text style={{ whiteSpace: "pre-wrap" }}>{approval.message}</Text>
            )}
            <Text size="sm">
              <Anchor
                component={Link}
                underline="always"
                to={`/t/${tenant}/approvals/${approval.id}`}
              >
                Open approval
              </Anchor>
              . Approvers: {listApprovers(approval)}, since{" "}
              <Time value={approval.createdAt} isExact />
            </Text>
            <DecideForm approval={approval} />
          </Stack>
        </Fieldset>
      ))}
    </>
  );
};
