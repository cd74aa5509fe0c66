import { Anchor, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ExecutionRecord, ExecutionStatus } from "../../../client/openapi.ts";
import { useCountMine } from "../approval-queries/use-count-mine.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { formatCount, formatKnownCost } from "../shared/format.ts";
import { ReadProblem } from "../shared/read-problem.tsx";
import { Time } from "../shared/time.tsx";
import { selectDays } from "../usage/range.ts";
import { useUsage } from "../usage/use-usage.ts";
import { sumMonth } from "./sum-month.ts";
import { useNewest } from "./use-home.ts";

/** Shows what runs, what failed, what waits and what it costs. */
export const Overview = () => {
  const may = useMay();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
      {may("executions:read") && (
        <ExecutionsCard title="Running" status="Running" none="No running executions." />
      )}
      {may("executions:read") && (
        <ExecutionsCard
          title="Failed in 24 hours"
          status="Failed"
          none="No failed executions."
          isRecent
        />
      )}
      {may("executions:read") && <WaitingCard />}
      {may("revisions:read") && <CostCard />}
    </SimpleGrid>
  );
};

type CardProps = {
  title: string;
  /** Undefined while it is read. */
  figure: string | undefined;
  error: unknown;
  /** Address after the tenant. */
  address: string;
  link: string;
  children?: ReactNode;
};

const Card = ({ title, figure, error, address, link, children }: CardProps) => {
  const tenant = useTenant();
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="xs" h="100%">
        <Title order={2} size="h5">
          {title}
        </Title>
        <ReadProblem error={error} />
        {figure === undefined && !error && <Skeleton height={32} />}
        {figure !== undefined && (
          <Text size="xl" fw={700}>
            {figure}
          </Text>
        )}
        {children}
        <Anchor component={Link} to={`/t/${tenant}/${address}`} size="sm" mt="auto">
          {link}
        </Anchor>
      </Stack>
    </Paper>
  );
};

type ExecutionsCardProps = {
  title: string;
  status: ExecutionStatus;
  none: string;
  isRecent?: boolean;
};

const shown = 3;

const ExecutionsCard = ({ title, status, none, isRecent = false }: ExecutionsCardProps) => {
  const { data, error } = useNewest(status, { isRecent });
  const more = data && data.nextPageToken !== null ? " or more" : "";
  return (
    <Card
      title={title}
      figure={data && `${formatCount(data.items.length)}${more}`}
      error={error}
      address={`executions?status=${status}`}
      link={status === "Running" ? "All running executions" : "All failed executions"}
    >
      {data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      {data?.items.slice(0, shown).map((execution) => (
        <ExecutionLine key={execution.id} execution={execution} />
      ))}
    </Card>
  );
};

const ExecutionLine = ({ execution }: { execution: ExecutionRecord }) => {
  const tenant = useTenant();
  const { id, agentId, startTime, errorDetail } = execution;
  return (
    <Text size="sm" component="div">
      <Anchor
        component={Link}
        size="sm"
        underline="always"
        to={`/t/${tenant}/executions/${encodeURIComponent(agentId)}/${id}`}
      >
        {agentId}
      </Anchor>{" "}
      <Time value={startTime} />
      {errorDetail && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          {errorDetail}
        </Text>
      )}
    </Text>
  );
};

const WaitingCard = () => {
  const { data, error } = useCountMine();
  return (
    <Card
      title="Waiting for you"
      figure={data && `${formatCount(data.count)}${data.isMore ? " or more" : ""}`}
      error={error}
      address="approvals"
      link="Approvals to decide"
    >
      {data?.count === 0 && (
        <Text size="sm" c="dimmed">
          No pending approvals.
        </Text>
      )}
    </Card>
  );
};

const CostCard = () => {
  const now = Date.now();
  const { data, error } = useUsage({ ...selectDays("month", now), groupBy: "agent" });
  const sum = data && sumMonth(data.items, selectDays("7d", now).to);
  return (
    <Card
      title="Cost this month"
      figure={sum && formatKnownCost(sum.cost, sum.priced)}
      error={error}
      address="usage"
      link="Usage by day"
    >
      {sum && (
        <Text size="sm" c="dimmed">
          {formatKnownCost(sum.today, sum.priced)} today, {formatCount(sum.executions)} executions
          this month (UTC)
        </Text>
      )}
    </Card>
  );
};
