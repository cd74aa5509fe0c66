import { Text } from "@mantine/core";
import type { ApiKey } from "../../../client/openapi.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { useRevokeKey } from "./use-api-keys.ts";

type RevokeKeyDialogProps = { apiKey: ApiKey; onClose: () => void };

/** Asks before a key is revoked. */
export const RevokeKeyDialog = ({ apiKey, onClose }: RevokeKeyDialogProps) => {
  const { mutateAsync } = useRevokeKey(apiKey.id);
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      action="Revoke"
      done={`Revoked ${apiKey.name}.`}
      isDangerous
      onConfirm={() => mutateAsync()}
      onClose={onClose}
    >
      <Text>
        Programs that use this key are refused immediately. A revoked key cannot be restored.
      </Text>
    </ConfirmDialog>
  );
};
