import { Button, Group, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Agent } from "../../../../client/openapi.ts";
import { useMayAt } from "../../agent-queries/use-may-at.ts";
import type { useCreateRevision } from "../../agent-queries/use-revisions.ts";
import type { Draft } from "../../flow-graph/edit-flow.ts";
import { useTenant } from "../../session/tenant.ts";
import { useIsStillHere } from "../../shared/use-is-still-here.ts";
import { DeployDialog } from "../revision/deploy-dialog.tsx";

type SaveAndDeployProps = {
  agent: Agent;
  /** Number of the shown revision; null before the first one. */
  revision: number | null;
  /** The revision to save; undefined while it is not valid. */
  draft: Draft | undefined;
  save: ReturnType<typeof useCreateRevision>;
  hasChanges: boolean;
  onSend: () => void;
  onSaved: (revision: number) => void;
};

/** Saves the draft as a new revision, and deploys the shown one. */
export const SaveAndDeploy = (props: SaveAndDeployProps) => {
  const { agent, revision, draft, save, hasChanges, onSend, onSaved } = props;
  const tenant = useTenant();
  const navigate = useNavigate();
  const startAction = useIsStillHere();
  const mayAt = useMayAt(agent.id);
  const [comment, setComment] = useState("");
  const [isDeploying, setIsDeploying] = useState(false);
  const send = (): void => {
    if (!draft) return;
    const isStillHere = startAction();
    onSend();
    save.mutate(
      { ...draft, comment: comment === "" ? null : comment },
      {
        onSuccess: ({ agentRevision }) => {
          if (!isStillHere()) return;
          onSaved(agentRevision);
          // A comment that was typed since is of the next revision.
          setComment((typed) => (typed === comment ? "" : typed));
          void navigate({
            to: "/t/$tenant/agents/$agent/flow",
            params: { tenant, agent: agent.id },
            search: { revision: agentRevision },
          });
        },
      },
    );
  };
  const mayDeploy =
    mayAt("revisions:deploy") && revision !== null && revision !== agent.deployedRevision;
  return (
    <Group gap="xs" flex="1 1 320px" justify="flex-end" wrap="nowrap">
      {mayAt("revisions:write") && (
        <>
          <TextInput
            aria-label="Comment"
            placeholder="Comment"
            flex="1 1 0"
            miw={0}
            maw={260}
            value={comment}
            onChange={({ currentTarget }) => setComment(currentTarget.value)}
          />
          <Button onClick={send} loading={save.isPending} disabled={!draft || !hasChanges}>
            Save revision
          </Button>
        </>
      )}
      {mayDeploy && (
        <Button
          variant={hasChanges ? "default" : "filled"}
          disabled={hasChanges}
          onClick={() => setIsDeploying(true)}
        >
          Deploy
        </Button>
      )}
      {isDeploying && revision !== null && (
        <DeployDialog
          agent={agent.id}
          revision={revision}
          deployed={agent.deployedRevision}
          onClose={() => setIsDeploying(false)}
        />
      )}
    </Group>
  );
};
