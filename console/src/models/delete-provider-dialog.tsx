import { Text } from "@mantine/core";
import type { LlmProvider } from "../../../client/openapi.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { useDeleteProvider } from "./use-providers.ts";

type DeleteProviderDialogProps = { provider: LlmProvider; onClose: () => void };

/** Asks before a provider is deleted. */
export const DeleteProviderDialog = ({ provider, onClose }: DeleteProviderDialogProps) => {
  const { mutateAsync } = useDeleteProvider(provider.id);
  return (
    <ConfirmDialog
      title={`Delete ${provider.displayName}?`}
      action="Delete"
      isDangerous
      onConfirm={() => mutateAsync()}
      onClose={onClose}
    >
      <Text>Its API key is deleted too. Steps that use the provider fail from now on.</Text>
    </ConfirmDialog>
  );
};
