import type { Webhook } from "../../../client/openapi.ts";
import { CreatedWebhookDialog } from "./created-webhook-dialog.tsx";
import { DeleteWebhookDialog } from "./delete-webhook-dialog.tsx";
import { WebhookFormDialog } from "./webhook-form-dialog.tsx";

/** A dialog about a webhook. */
export type OpenWebhookDialog =
  | { type: "create" }
  | { type: "created" | "edit" | "delete"; webhook: Webhook };

type WebhookDialogProps = {
  open: OpenWebhookDialog | undefined;
  onOpen: (open: OpenWebhookDialog) => void;
  onDeleted?: () => void;
  onClose: () => void;
};

/** The dialog that is open. */
export const WebhookDialog = ({ open, onOpen, onDeleted, onClose }: WebhookDialogProps) => {
  switch (open?.type) {
    case "create":
      return (
        <WebhookFormDialog
          onSaved={(webhook) => onOpen({ type: "created", webhook })}
          onClose={onClose}
        />
      );
    case "created":
      return <CreatedWebhookDialog webhook={open.webhook} onClose={onClose} />;
    case "edit":
      return (
        <WebhookFormDialog
          webhook={open.webhook}
          onSaved={(webhook) =>
            webhook.signingSecret === null ? onClose() : onOpen({ type: "created", webhook })
          }
          onClose={onClose}
        />
      );
    case "delete":
      return <DeleteWebhookDialog webhook={open.webhook} onDeleted={onDeleted} onClose={onClose} />;
    default:
      return null;
  }
};
