import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";

type ShownOnceDialogProps = { title: string; children: ReactNode; onClose: () => void };

/** Shows a secret that is never shown again; only its button closes it. */
export const ShownOnceDialog = ({ title, children, onClose }: ShownOnceDialogProps) => (
  <Modal
    opened
    onClose={onClose}
    title={title}
    closeOnClickOutside={false}
    closeOnEscape={false}
    withCloseButton={false}
    size="lg"
  >
    <Stack>
      {children}
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  </Modal>
);
