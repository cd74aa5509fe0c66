import { Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { ChatUserAccessRequest } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { fieldError } from "../shared/problem.ts";
import { useDecide } from "./use-access-requests.ts";

type DecideDialogProps = {
  request: ChatUserAccessRequest;
  decision: "approve" | "reject";
  onClose: () => void;
};

/** Approves or rejects an access request, with a note. */
export const DecideDialog = ({ request, decision, onClose }: DecideDialogProps) => {
  const [note, setNote] = useState("");
  const { mutate, error, isPending } = useDecide(request, decision);
  const name = request.userName ?? request.identifier;
  const isApproval = decision === "approve";
  return (
    <FormDialog
      title={isApproval ? `Approve ${name} for ${request.agentId}?` : `Reject ${name}?`}
      action={isApproval ? "Approve" : "Reject"}
      error={error}
      shownAt={["/note"]}
      isPending={isPending}
      onSubmit={() => mutate(note, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>
        {isApproval
          ? "The agent replies to the message that created the request, and to later ones."
          : "The chat user is not notified. A message at least a day later creates a new request."}
      </Text>
      <Textarea
        label="Note"
        description="Kept with the decision; the chat user does not see it."
        data-autofocus
        autosize
        minRows={2}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        error={fieldError(error, "/note")}
      />
    </FormDialog>
  );
};
