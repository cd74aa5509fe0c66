import { Anchor, Button, Group } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAgent } from "../agent-queries/use-agents.ts";
import { useMayAt } from "../agent-queries/use-may-at.ts";
import { useRevisions } from "../agent-queries/use-revisions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { ResourceTable } from "../shared/resource-table.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { CompareDialog } from "./revision/compare-dialog.tsx";
import { DeployDialog } from "./revision/deploy-dialog.tsx";

const route = getRouteApi("/t/$tenant/agents/$agent/revisions");

/** Lists the revisions of an agent, and deploys them. */
export const RevisionsPage = () => {
  const { agent: id } = route.useParams();
  const { deploy, experiment } = route.useSearch();
  const navigate = route.useNavigate();
  const tenant = useTenant();
  const mayDeploy = useMayAt(id)("revisions:deploy");
  const list = useRevisions(id);
  const deployed = useAgent(id).data?.deployedRevision ?? null;
  const [chosen, setDeploying] = useState<number>();
  // An experiment leads to the deployment of a revision that it tested.
  const linked = deploy === deployed || !mayDeploy ? undefined : deploy;
  const deploying = chosen ?? linked;
  const close = (): void => {
    setDeploying(undefined);
    if (deploy !== undefined) void navigate({ search: {}, replace: true });
  };
  const [isComparing, setIsComparing] = useState(false);
  return (
    <>
      {list.items.length > 1 && (
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setIsComparing(true)}>
            Compare revisions
          </Button>
        </Group>
      )}
      <ResourceTable
        label="Revisions"
        list={list}
        getId={({ agentRevision }) => String(agentRevision)}
        columns={[
          {
            header: "Revision",
            cell: ({ agentRevision }) => (
              <Anchor
                component={Link}
                to={`/t/${tenant}/agents/${id}/flow?revision=${agentRevision}`}
                style={{ whiteSpace: "nowrap" }}
              >
                Revision {agentRevision}
              </Anchor>
            ),
          },
          { header: "Comment", cell: ({ comment }) => comment ?? "", isWide: true },
          {
            header: "Created by",
            cell: ({ createdBy }) => createdBy,
            isSecondary: true,
            isWide: true,
          },
          {
            header: "Created",
            cell: ({ createdAt }) => <Time value={createdAt} />,
            isSecondary: true,
          },
          {
            header: "Deployed",
            cell: ({ agentRevision, deployedAt, deployedBy }) =>
              agentRevision === deployed ? (
                <StatusBadge status="Deployed" kind="good" />
              ) : (
                deployedAt !== null && (
                  <>
                    <Time value={deployedAt} /> by {deployedBy}
                  </>
                )
              ),
          },
        ]}
        actions={
          mayDeploy
            ? ({ agentRevision }) =>
                agentRevision !== deployed && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => setDeploying(agentRevision)}
                  >
                    {deployed !== null && agentRevision < deployed
                      ? "Deploy (roll back)"
                      : "Deploy"}
                  </Button>
                )
            : undefined
        }
        empty={
          <EmptyState
            title="No revisions yet"
            action={
              <Button component={Link} variant="default" to={`/t/${tenant}/agents/${id}/flow`}>
                Open flow
              </Button>
            }
          >
            Add steps in the tab “Flow” and save them as the first revision.
          </EmptyState>
        }
      />
      {isComparing && (
        <CompareDialog
          agent={id}
          revisions={list.items}
          deployed={deployed}
          onClose={() => setIsComparing(false)}
        />
      )}
      {deploying !== undefined && (
        <DeployDialog
          agent={id}
          revision={deploying}
          deployed={deployed}
          experiment={chosen === undefined ? experiment : undefined}
          onClose={close}
        />
      )}
    </>
  );
};
