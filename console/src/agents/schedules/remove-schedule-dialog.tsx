import { Text } from "@mantine/core";
import type { JobPolicy, Revision } from "../../../../client/openapi.ts";
import { ConfirmDialog } from "../../shared/confirm-dialog.tsx";
import { describePolicy } from "./describe-policy.ts";
import { useSaveSchedules } from "./use-schedules.ts";

type RemoveScheduleDialogProps = {
  agent: string;
  latest: Revision;
  policy: JobPolicy;
  onClose: () => void;
};

/** Asks before a revision without a schedule is created. */
export const RemoveScheduleDialog = (props: RemoveScheduleDialogProps) => {
  const { agent, latest, policy, onClose } = props;
  const { mutateAsync, bodyWith } = useSaveSchedules(agent, latest);
  const others = latest.jobPolicyConfigs.filter(({ id }) => id !== policy.id);
  return (
    <ConfirmDialog
      title="Remove the schedule?"
      action="Remove"
      isDangerous
      onConfirm={() => mutateAsync(bodyWith(others, `No schedule: ${describePolicy(policy)}`))}
      onClose={onClose}
    >
      <Text>
        {describePolicy(policy)}. A new revision without it is created; a deployed schedule ends
        when that revision is deployed.
      </Text>
    </ConfirmDialog>
  );
};
