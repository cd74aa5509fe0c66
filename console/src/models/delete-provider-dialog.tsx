import type { LlmProvider } from "../../../client/openapi.ts";
import { DeleteDialog } from "../shared/delete-dialog.tsx";
import { useDeleteProvider } from "./use-providers.ts";

type DeleteProviderDialogProps = { provider: LlmProvider; onClose: () => void };

/** Asks before a provider is deleted. */
export const DeleteProviderDialog = ({ provider, onClose }: DeleteProviderDialogProps) => {
  const { mutateAsync } = useDeleteProvider(provider.id);
  return (
    <DeleteDialog name={provider.displayName} onDelete={() => mutateAsync()} onClose={onClose}>
      Its API key is also deleted. Steps that use the provider fail from now on.
    </DeleteDialog>
  );
};
