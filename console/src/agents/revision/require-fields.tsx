import { Anchor, NativeSelect, NumberInput, SimpleGrid, Skeleton, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { formatExperimentName } from "../../experiments/status.ts";
import { useExperiments } from "../../experiments/use-experiments.ts";
import { useTenant } from "../../session/tenant.ts";
import { useMayStart } from "../../session/use-may-start.ts";
import { formatScore, formatTime } from "../../shared/format.ts";
import { fieldError, readShortfalls } from "../../shared/problem.ts";
import { useLoadAll } from "../../shared/use-load-all.ts";
import type { RequiredRow, Requirement } from "./requirement.ts";

type RequireFieldsProps = {
  agent: string;
  revision: number;
  requirement: Requirement;
  /** Undefined until the chosen experiment is read. */
  rows: readonly RequiredRow[] | undefined;
  onChange: (requirement: Requirement) => void;
  error: unknown;
};

/** Selects an experiment that a deployment requires results of, with a minimum per scorer. */
export const RequireFields = (props: RequireFieldsProps) => {
  const { agent, revision, requirement, rows, onChange, error } = props;
  const list = useLoadAll(useExperiments());
  const tested = list.items.filter(
    ({ agentId, status, revisions }) =>
      agentId === agent && status === "Succeeded" && revisions.includes(revision),
  );
  if (tested.length === 0) {
    return list.isLoading || list.hasMore ? (
      <Skeleton height={60} role="status" aria-label="Loading" />
    ) : (
      <Untested agent={agent} />
    );
  }
  return (
    <>
      <NativeSelect
        label="Required experiment"
        description="The revision is deployed only if it reaches the minimum of every scorer."
        value={requirement.experimentId ?? ""}
        data={[
          { value: "", label: "None" },
          ...tested.map((experiment) => ({
            value: experiment.id,
            label: `${formatExperimentName(experiment)} (${formatTime(experiment.createdAt)})`,
          })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ experimentId: value || undefined, changed: {} })
        }
        error={fieldError(error, "/require/experimentId")}
      />
      {requirement.experimentId !== undefined &&
        (rows ? (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {rows.map((row) => (
              <MinimumField key={row.scorer} row={row} {...props} />
            ))}
          </SimpleGrid>
        ) : (
          <Skeleton height={60} role="status" aria-label="Loading" />
        ))}
    </>
  );
};

const Untested = ({ agent }: { agent: string }) => {
  const tenant = useTenant();
  return (
    <Text size="sm" c="dimmed">
      No experiment with this revision has succeeded.{" "}
      {useMayStart() && (
        <Anchor
          component={Link}
          underline="always"
          to={`/t/${tenant}/experiments/new?agent=${encodeURIComponent(agent)}`}
        >
          Start experiment
        </Anchor>
      )}
    </Text>
  );
};

const MinimumField = ({
  row,
  revision,
  requirement,
  onChange,
  error,
}: RequireFieldsProps & { row: RequiredRow }) => {
  const { scorer, start } = row;
  const { changed } = requirement;
  const isShort = readShortfalls(error).some((shortfall) => shortfall.scorer === scorer);
  return (
    <NumberInput
      label={`Minimum of ${scorer}`}
      description={describe(row, revision)}
      placeholder="not required"
      step={0.05}
      value={changed[scorer] ?? start}
      onChange={(value) => onChange({ ...requirement, changed: { ...changed, [scorer]: value } })}
      error={
        isShort
          ? "The score is below the minimum."
          : fieldError(error, `/require/minimum/${scorer}`)
      }
    />
  );
};

const describe = ({ mean, deployedMean }: RequiredRow, revision: number): string => {
  const own = `Revision ${revision} ${mean === null ? "has no score" : `reached ${formatScore(mean)}`}`;
  if (deployedMean === undefined || deployedMean === null) return `${own}.`;
  return `${own}, the deployed one ${formatScore(deployedMean)}.`;
};
