import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMayAt } from "../agent-queries/use-may-at.ts";
import { useTenant } from "../session/tenant.ts";
import type { ExperimentDetail } from "./use-experiments.ts";

type DeployLinkProps = { experiment: ExperimentDetail; revision: number };

/** Leads to the deployment of a revision that requires the results of the experiment. */
export const DeployLink = ({ experiment, revision }: DeployLinkProps) => {
  const tenant = useTenant();
  const { id, agentId, status } = experiment;
  const mayDeploy = useMayAt(agentId)("revisions:deploy");
  if (!mayDeploy || status !== "Succeeded") return null;
  return (
    <Button
      component={Link}
      variant="default"
      to={`/t/${tenant}/agents/${encodeURIComponent(agentId)}/revisions?deploy=${revision}&experiment=${id}`}
    >
      Deploy with these minimums
    </Button>
  );
};
