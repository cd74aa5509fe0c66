import { Anchor, Code, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTenant } from "../session/tenant.ts";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { Time } from "../shared/time.tsx";
import { toListState } from "../shared/to-list-state.ts";
import type { ExperimentDetail } from "./use-experiments.ts";

type Versions = ExperimentDetail["versions"][number];

const buildColumns = (tenant: string, agent: string): Column<Versions>[] => [
  {
    header: "Revision",
    cell: ({ revision }) => (
      <Anchor component={Link} to={`/t/${tenant}/agents/${agent}/flow?revision=${revision}`}>
        Revision {revision}
      </Anchor>
    ),
  },
  {
    header: "Skills",
    isWide: true,
    cell: ({ skills }) =>
      skills.length === 0
        ? "none"
        : skills.map(({ id, modifiedAt }) => (
            <Text key={id} size="sm">
              <Code>{id}</Code>{" "}
              {modifiedAt === null ? "did not exist" : <Time value={modifiedAt} isExact />}
            </Text>
          )),
  },
  {
    header: "Integration configs",
    isWide: true,
    cell: ({ integrationConfigs }) =>
      integrationConfigs.length === 0
        ? "none"
        : integrationConfigs.map(({ id, revision }) => (
            <Text key={id} size="sm">
              <Code>{id}</Code> {revision === null ? "did not exist" : `revision ${revision}`}
            </Text>
          )),
  },
];

/** Lists the versions of skills and integration configs that each revision met. */
export const VersionsTab = ({ experiment }: { experiment: ExperimentDetail }) => {
  const tenant = useTenant();
  return (
    <ResourceTable
      label="Versions"
      list={toListState({ data: experiment.versions })}
      getId={({ revision }) => String(revision)}
      columns={buildColumns(tenant, experiment.agentId)}
      empty={<Text c="dimmed">The versions appear when the experiment has started.</Text>}
    />
  );
};
