import type { Webhook } from "../../../client/openapi.ts";
import { DeleteDialog } from "../shared/delete-dialog.tsx";
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
    <DeleteDialog
      name={`the webhook of ${providerLabel(webhook.provider)}`}
      onDelete={() => mutateAsync()}
      onDeleted={onDeleted}
      onClose={onClose}
    >
      Its address returns 404 immediately, and its subscriptions and deliveries are deleted.
      Executions that have started continue.
    </DeleteDialog>
  );
};
