import { Text } from "@mantine/core";
import type { Webhook } from "../../../client/openapi.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { providerLabel } from "./providers.ts";
import { useDeleteWebhook } from "./use-webhooks.ts";

type DeleteWebhookDialogProps = {
  webhook: Webhook;
  /** Called when it is deleted, before the dialog closes. */
  onDeleted?: (() => void) | undefined;
  onClose: () => void;
};

/** Asks before a webhook is deleted. */
export const DeleteWebhookDialog = ({ webhook, onDeleted, onClose }: DeleteWebhookDialogProps) => {
  const { mutateAsync } = useDeleteWebhook(webhook.id);
  return (
    <ConfirmDialog
      title={`Delete the webhook of ${providerLabel(webhook.provider)}?`}
      action="Delete"
      isDangerous
      onConfirm={async () => {
        await mutateAsync();
        onDeleted?.();
      }}
      onClose={onClose}
    >
      <Text>
        Its address answers 404 at once, and its subscriptions and deliveries are deleted.
        Executions that have started continue.
      </Text>
    </ConfirmDialog>
  );
};
