import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useSession } from "./session-context.ts";

/** Offers the sign-in in a new window. */
export const SessionEndedDialog = () => {
  const { signInAgain } = useSession();
  const [reason, setReason] = useState<string>();
  const again = (): void => {
    setReason(undefined);
    signInAgain().catch((error: unknown) => {
      setReason(error instanceof Error ? error.message : String(error));
    });
  };
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      title="Your session has ended"
    >
      <Stack>
        <Text>Sign in again in a new window. Your input is kept.</Text>
        {reason !== undefined && <Text role="alert">{reason}</Text>}
        <Group justify="flex-end">
          <Button onClick={again}>Sign in again</Button>
        </Group>
      </Stack>
    </Modal>
  );
};
