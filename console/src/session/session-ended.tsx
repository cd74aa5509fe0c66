import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useSession } from "./session-context.ts";

/** Asks the user to sign in again when the session cannot be renewed; the page behind keeps what was typed. */
export const SessionEnded = () => {
  const { onEnd, signInAgain } = useSession();
  const [hasEnded, setHasEnded] = useState(false);
  const [reason, setReason] = useState<string>();
  useEffect(() => onEnd(setHasEnded), [onEnd]);
  const again = (): void => {
    setReason(undefined);
    signInAgain().catch((error: unknown) => {
      setReason(error instanceof Error ? error.message : String(error));
    });
  };
  return (
    <Modal
      opened={hasEnded}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      title="Your session has ended"
    >
      <Stack>
        <Text>Sign in again in a new window. Nothing that you typed is lost.</Text>
        {reason !== undefined && <Text role="alert">{reason}</Text>}
        <Group justify="flex-end">
          <Button onClick={again}>Sign in again</Button>
        </Group>
      </Stack>
    </Modal>
  );
};
