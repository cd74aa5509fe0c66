import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { JobPolicy, Revision } from "../../../../client/openapi.ts";
import { useMayAt } from "../../agent-queries/use-may-at.ts";
import { EmptyState } from "../../shared/empty-state.tsx";
import { formatTime } from "../../shared/format.ts";
import { type Column, ResourceTable } from "../../shared/resource-table.tsx";
import { RowMenu } from "../../shared/row-menu.tsx";
import { StatusBadge } from "../../shared/status-badge.tsx";
import { toListState } from "../../shared/to-list-state.ts";
import { toSessionTexts } from "../../shared/trigger-session.ts";
import { DeployDialog } from "../revision/deploy-dialog.tsx";
import { describePolicy } from "./describe-policy.ts";
import { listNextRuns } from "./list-next-runs.ts";
import { RemoveScheduleDialog } from "./remove-schedule-dialog.tsx";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { type Schedule, useSchedules } from "./use-schedules.ts";

const columns: Column<Schedule>[] = [
  { header: "Runs", cell: describePolicy },
  {
    header: "Next run",
    cell: (schedule) => {
      const [next, ...later] = schedule.isDeployed ? listNextRuns(schedule, Date.now()) : [];
      return next === undefined ? (
        "none"
      ) : (
        <span title={`Then ${later.map(formatTime).join("; ")}`}>{formatTime(next)}</span>
      );
    },
  },
  { header: "Prompt", isSecondary: true, cell: ({ prompt }) => prompt ?? "" },
  {
    header: "Session",
    isSecondary: true,
    cell: ({ session }) => toSessionTexts(session).id,
  },
  { header: "Timeout", isSecondary: true, cell: ({ timeout }) => `${timeout ?? 900} s` },
  {
    header: "Status",
    cell: ({ isDeployed }) =>
      isDeployed ? (
        <StatusBadge status="Active" kind="good" />
      ) : (
        <StatusBadge status="Not deployed" kind="idle" />
      ),
  },
];

/** The dialog that is open, with the revision that it started from: a newer one does not replace it. */
type Open =
  | { type: "edit"; latest: Revision; policy?: JobPolicy }
  | { type: "remove"; latest: Revision; policy: JobPolicy };

/** Lists, adds, changes and removes the schedules of an agent. A change creates a revision. */
export const SchedulesPage = () => {
  const { agent } = useParams({ from: "/t/$tenant/agents/$agent" });
  const state = useSchedules(agent);
  const { latest, latestRevision, deployedRevision, schedules, isLoading, error } = state;
  const mayAt = useMayAt(agent);
  const mayWrite = mayAt("revisions:write");
  const [open, setOpen] = useState<Open>();
  const [isDeploying, setIsDeploying] = useState(false);
  const close = (): void => setOpen(undefined);
  const isBehind = latestRevision !== null && latestRevision !== deployedRevision;
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">The deployed revision's schedules run the agent.</Text>
        {mayWrite && latest && (
          <Button onClick={() => setOpen({ type: "edit", latest })}>Add schedule</Button>
        )}
      </Group>
      {isBehind && (
        <Alert variant="outline" title={`Revision ${latestRevision} is not deployed`}>
          <Text size="sm">
            These are its schedules.{" "}
            {deployedRevision === null
              ? "No revision is deployed, so nothing runs."
              : `Those of revision ${deployedRevision} run until it is deployed.`}
          </Text>
          {mayAt("revisions:deploy") && (
            <Button
              size="compact-sm"
              mt="xs"
              variant="default"
              onClick={() => setIsDeploying(true)}
            >
              Deploy
            </Button>
          )}
        </Alert>
      )}
      <ResourceTable
        label="Schedules"
        list={toListState({ data: schedules, isLoading, error })}
        getId={({ id }) => id}
        columns={columns}
        actions={
          mayWrite && latest
            ? ({ isDeployed: _, ...policy }) => (
                <RowMenu
                  name={describePolicy(policy)}
                  actions={[
                    { label: "Edit", onClick: () => setOpen({ type: "edit", latest, policy }) },
                    {
                      label: "Remove",
                      onClick: () => setOpen({ type: "remove", latest, policy }),
                      isDangerous: true,
                    },
                  ]}
                />
              )
            : undefined
        }
        empty={
          <EmptyState title="No schedules yet" docs="schedules">
            {latest
              ? "Add a schedule, then deploy the revision that it creates."
              : "Save a first revision in the tab “Flow”, then add a schedule."}
          </EmptyState>
        }
      />
      {open?.type === "edit" && (
        <ScheduleDialog agent={agent} latest={open.latest} policy={open.policy} onClose={close} />
      )}
      {open?.type === "remove" && (
        <RemoveScheduleDialog
          agent={agent}
          latest={open.latest}
          policy={open.policy}
          onClose={close}
        />
      )}
      {isDeploying && latestRevision !== null && (
        <DeployDialog
          agent={agent}
          revision={latestRevision}
          deployed={deployedRevision}
          onClose={() => setIsDeploying(false)}
        />
      )}
    </Stack>
  );
};
