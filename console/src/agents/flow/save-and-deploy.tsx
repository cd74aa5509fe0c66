import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Agent } from "../../../../client/openapi.ts";
import { useMayAt } from "../../agent-queries/use-may-at.ts";
import { DeployDialog } from "../revision/deploy-dialog.tsx";
import { ownUndo } from "./use-editor-keys.ts";
import type { useSaveRevision } from "./use-save-revision.ts";

type SaveAndDeployProps = {
  agent: Agent;
  /** Number of the shown revision; null before the first one. */
  revision: number | null;
  saving: ReturnType<typeof useSaveRevision>;
  hasChanges: boolean;
};

/** Saves the draft as a new revision, and deploys it or the shown one. */
export const SaveAndDeploy = ({ agent, revision, saving, hasChanges }: SaveAndDeployProps) => {
  const mayAt = useMayAt(agent.id);
  const [deploying, setDeploying] = useState<number>();
  const mayWrite = mayAt("revisions:write");
  const isNew = hasChanges && mayWrite;
  const mayDeploy =
    mayAt("revisions:deploy") &&
    (isNew || (revision !== null && revision !== agent.deployedRevision));
  return (
    <Group gap="xs" justify="flex-end" ml="auto" {...ownUndo}>
      {mayWrite && (
        <>
          <TextInput
            aria-label="Comment"
            placeholder="Comment"
            w={140}
            value={saving.comment}
            onChange={({ currentTarget }) => saving.setComment(currentTarget.value)}
          />
          <Button
            title="Ctrl+S"
            variant={isNew && mayDeploy ? "default" : "filled"}
            onClick={() => saving.send()}
            loading={saving.isPending}
            disabled={!saving.maySend}
          >
            Save revision
          </Button>
        </>
      )}
      {mayDeploy && (
        <Button
          disabled={isNew && !saving.maySend}
          onClick={() => (isNew ? saving.send(setDeploying) : setDeploying(revision ?? undefined))}
        >
          {isNew ? "Save and deploy" : "Deploy"}
        </Button>
      )}
      {deploying !== undefined && (
        <DeployDialog
          agent={agent.id}
          revision={deploying}
          deployed={agent.deployedRevision}
          onClose={() => setDeploying(undefined)}
        />
      )}
    </Group>
  );
};
