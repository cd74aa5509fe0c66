import { Switch } from "@mantine/core";
import { useState } from "react";
import type { UpdateWebhookBody, Webhook } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { fieldError } from "../shared/problem.ts";
import { useUpdateWebhook } from "./use-webhooks.ts";
import { WebhookFields, webhookPointers } from "./webhook-fields.tsx";

type EditWebhookDialogProps = {
  webhook: Webhook;
  /** Gets the changed webhook, which may show a secret once. */
  onSaved: (webhook: Webhook) => void;
  onClose: () => void;
};

/** Changes a webhook. */
export const EditWebhookDialog = ({ webhook, onSaved, onClose }: EditWebhookDialogProps) => {
  const wasActive = webhook.status !== "DISABLED";
  const [isActive, setIsActive] = useState(wasActive);
  const [texts, setTexts] = useState({
    signingSecret: "",
    externalContext: webhook.externalContext ?? "",
    filter: webhook.filter ?? "",
  });
  const { mutate, error, isPending } = useUpdateWebhook(webhook.id);
  const body: UpdateWebhookBody = {
    ...(texts.signingSecret !== "" && { signingSecret: texts.signingSecret }),
    ...(texts.externalContext !== (webhook.externalContext ?? "") && {
      externalContext: texts.externalContext || null,
    }),
    ...(texts.filter !== (webhook.filter ?? "") && { filter: texts.filter || null }),
    ...(isActive !== wasActive && {
      status: isActive ? ("ACTIVE" as const) : ("DISABLED" as const),
    }),
  };
  return (
    <FormDialog
      title="Edit webhook"
      action="Save"
      error={error}
      shownAt={["/status", ...webhookPointers]}
      isPending={isPending}
      onSubmit={() => mutate(body, { onSuccess: onSaved })}
      onClose={onClose}
    >
      <Switch
        label="Accepts deliveries"
        description="A disabled webhook refuses them."
        checked={isActive}
        onChange={({ currentTarget }) => setIsActive(currentTarget.checked)}
        error={fieldError(error, "/status")}
      />
      <WebhookFields
        provider={webhook.provider}
        texts={texts}
        onChange={setTexts}
        error={error}
        hasSecret
      />
    </FormDialog>
  );
};
