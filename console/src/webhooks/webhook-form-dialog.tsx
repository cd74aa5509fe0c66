import { NativeSelect, Switch } from "@mantine/core";
import { useState } from "react";
import type { Webhook } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { fieldError } from "../shared/problem.ts";
import { textField } from "../shared/text-field.ts";
import { webhookProviders } from "./providers.ts";
import { useSaveWebhook } from "./use-webhooks.ts";
import { WebhookFields } from "./webhook-fields.tsx";
import { toWebhookForm, webhookPointers } from "./webhook-form.ts";

type WebhookFormDialogProps = {
  /** The webhook to change; none to create one. */
  webhook?: Webhook;
  /** Gets the webhook, which may show a secret once. */
  onSaved: (webhook: Webhook) => void;
  onClose: () => void;
};

/** Creates or changes a webhook. */
export const WebhookFormDialog = ({ webhook, onSaved, onClose }: WebhookFormDialogProps) => {
  const [form, setForm] = useState(toWebhookForm(webhook));
  const { mutate, error, isPending } = useSaveWebhook(webhook);
  const state = { form, onChange: setForm, error };
  return (
    <FormDialog
      title={webhook ? "Edit webhook" : "Create webhook"}
      action={webhook ? "Save" : "Create"}
      error={error}
      shownAt={webhookPointers}
      isPending={isPending}
      onSubmit={() => mutate(form, { onSuccess: onSaved })}
      onClose={onClose}
    >
      {webhook ? (
        <Switch
          label="Accepts deliveries"
          description="A disabled webhook refuses them."
          checked={form.isActive}
          onChange={({ currentTarget }) => setForm({ ...form, isActive: currentTarget.checked })}
          error={fieldError(error, "/status")}
        />
      ) : (
        <NativeSelect
          label="Provider"
          data-autofocus
          data={webhookProviders.map(({ id, label }) => ({ value: id, label }))}
          {...textField(state, "provider")}
        />
      )}
      <WebhookFields {...state} hasSecret={webhook !== undefined} />
    </FormDialog>
  );
};
