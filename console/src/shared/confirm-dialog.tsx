import { Button, Group, Modal, type ModalProps, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { notifyDone } from "./notify.ts";
import { ProblemAlert } from "./problem-alert.tsx";

type ConfirmDialogProps = {
  title: string;
  children: ReactNode;
  /** Label of the button that acts. */
  action: string;
  /** Message of the toast when it is done; no toast by default. */
  done?: string | undefined;
  isDangerous?: boolean;
  size?: ModalProps["size"];
  /** Acts; the dialog closes when it is done, and shows its problem. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before something that cannot be undone. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { title, children, action, done, isDangerous = false, size, onConfirm, onClose } = props;
  const confirm = useMutation({
    mutationFn: onConfirm,
    onSuccess: () => {
      if (done !== undefined) notifyDone({ message: done });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={title} size={size ?? "md"}>
      <Stack>
        <div>{children}</div>
        <ProblemAlert error={confirm.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            color={isDangerous ? "red" : undefined}
            loading={confirm.isPending}
            onClick={() => confirm.mutate()}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
