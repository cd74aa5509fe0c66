import type { Guardrail } from "../../../client/openapi.ts";
import { DeleteDialog } from "../shared/delete-dialog.tsx";
import { useDeleteGuardrail } from "./use-guardrails.ts";

type DeleteGuardrailDialogProps = {
  guardrail: Guardrail;
  onDeleted?: () => void;
  onClose: () => void;
};

/** Asks before a guardrail is deleted. */
export const DeleteGuardrailDialog = (props: DeleteGuardrailDialogProps) => {
  const { guardrail, onDeleted, onClose } = props;
  const { mutateAsync } = useDeleteGuardrail(guardrail.id);
  return (
    <DeleteDialog
      name={guardrail.displayName}
      onDelete={() => mutateAsync()}
      onDeleted={onDeleted}
      onClose={onClose}
    >
      Executions of revisions that use it are blocked from now on.
    </DeleteDialog>
  );
};
