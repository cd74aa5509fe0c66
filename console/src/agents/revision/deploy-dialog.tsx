import { Text } from "@mantine/core";
import { useState } from "react";
import { useDeployRevision, useRevision } from "../../agent-queries/use-revisions.ts";
import { useExperiment } from "../../experiments/use-experiments.ts";
import { useMay } from "../../session/permissions.ts";
import { FormDialog } from "../../shared/form-dialog.tsx";
import { ProblemAlert } from "../../shared/problem-alert.tsx";
import { RequireFields } from "./require-fields.tsx";
import { type Requirement, requiredRows, toDeployBody } from "./requirement.ts";
import { RevisionComparison } from "./revision-comparison.tsx";

type DeployDialogProps = {
  agent: string;
  revision: number;
  deployed: number | null;
  /** Experiment with the results that the deployment requires at first. */
  experiment?: string | undefined;
  onClose: () => void;
};

/**
 * Confirms the deployment of a revision, with a comparison to the deployed one; may require results
 * of an experiment.
 */
export const DeployDialog = (props: DeployDialogProps) => {
  const { agent, revision, deployed, experiment: required, onClose } = props;
  const { mutate, error, isPending } = useDeployRevision(agent);
  const before = useRevision(agent, deployed).data;
  const after = useRevision(agent, revision).data;
  const [requirement, setRequirement] = useState<Requirement>({
    experimentId: required,
    changed: {},
  });
  const experiment = useExperiment(requirement.experimentId);
  const rows = experiment.data && requiredRows(experiment.data, { revision, deployed });
  const isReady = requirement.experimentId === undefined || rows !== undefined;
  const isRollBack = deployed !== null && revision < deployed;
  return (
    <FormDialog
      title={`${isRollBack ? "Roll back to" : "Deploy"} revision ${revision}?`}
      action="Deploy"
      size={deployed === null ? "md" : "xl"}
      error={error}
      shownAt={[
        "/require/experimentId",
        ...(rows ?? []).map(({ scorer }) => `/require/minimum/${scorer}`),
      ]}
      isPending={isPending}
      isReady={isReady}
      onSubmit={() =>
        mutate({ revision, body: toDeployBody(requirement, rows ?? []) }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <Text>
        {deployed === null
          ? "This is the first deployment of the agent."
          : `It replaces revision ${deployed}. Running executions are not affected.`}
      </Text>
      {useMay()("datasets:read") && (
        <RequireFields
          agent={agent}
          revision={revision}
          requirement={requirement}
          rows={rows}
          onChange={setRequirement}
          error={error}
        />
      )}
      <ProblemAlert error={experiment.error} />
      {before && after && <RevisionComparison before={before} after={after} />}
    </FormDialog>
  );
};
