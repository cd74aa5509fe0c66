import { Button, Text } from "@mantine/core";
import { useCreateApprovalLink } from "../approval-queries/use-approvals.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { SecretField } from "../shared/secret-field.tsx";
import { ShownOnceDialog } from "../shared/shown-once-dialog.tsx";
import { Time } from "../shared/time.tsx";

/** Creates a link on which a person without an account decides in the user's name, and shows it once. */
export const ApprovalLinkButton = ({ approvalId }: { approvalId: string }) => {
  const { mutate, reset, data: link, error, isPending } = useCreateApprovalLink(approvalId);
  return (
    <>
      <Button variant="subtle" loading={isPending} onClick={() => mutate({})}>
        Create link
      </Button>
      <ProblemAlert error={error} />
      {link && (
        <ShownOnceDialog title="Link created" onClose={reset}>
          <Text>
            Copy it now: it is never shown again. Whoever has it can decide in your name, once,
            until <Time value={link.expiresAt} isExact />.
          </Text>
          <SecretField label="Approval link" value={link.url ?? ""} />
        </ShownOnceDialog>
      )}
    </>
  );
};
