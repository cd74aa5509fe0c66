import { Text } from "@mantine/core";
import { ConfirmDialog } from "../../shared/confirm-dialog.tsx";
import { useDeployRevision, useRevision } from "../use-revisions.ts";
import { compareRevisions } from "./compare-revisions.ts";
import { LineDiff } from "./line-diff.tsx";

type DeployDialogProps = {
  agent: string;
  revision: number;
  deployed: number | null;
  onClose: () => void;
};

/** Asks before a revision is deployed, with a comparison to what is deployed. */
export const DeployDialog = ({ agent, revision, deployed, onClose }: DeployDialogProps) => {
  const { mutateAsync } = useDeployRevision(agent);
  const before = useRevision(agent, deployed).data;
  const after = useRevision(agent, revision).data;
  const isRollBack = deployed !== null && revision < deployed;
  return (
    <ConfirmDialog
      title={`${isRollBack ? "Roll back to" : "Deploy"} revision ${revision}?`}
      action="Deploy"
      size={deployed === null ? "md" : "xl"}
      onConfirm={() => mutateAsync(revision)}
      onClose={onClose}
    >
      <Text mb="sm">
        {deployed === null
          ? "It is the first revision that is deployed."
          : `It replaces revision ${deployed}. Executions that run are not affected.`}
      </Text>
      {before && after && <LineDiff lines={compareRevisions(before, after)} />}
    </ConfirmDialog>
  );
};
