import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { ConfirmDialog } from "./confirm-dialog.tsx";

type DeleteDialogProps = {
  /** Name of the resource to delete. */
  name: string;
  /** Explains the consequences of the deletion. */
  children: ReactNode;
  onDelete: () => Promise<unknown>;
  /** Called when it is deleted, before the dialog closes. */
  onDeleted?: (() => unknown) | undefined;
  onClose: () => void;
};

/** Asks before a resource is deleted. */
export const DeleteDialog = (props: DeleteDialogProps) => {
  const { name, children, onDelete, onDeleted, onClose } = props;
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete"
      done={`Deleted ${name}.`}
      isDangerous
      onConfirm={async () => {
        await onDelete();
        await onDeleted?.();
      }}
      onClose={onClose}
    >
      <Text>{children}</Text>
    </ConfirmDialog>
  );
};
