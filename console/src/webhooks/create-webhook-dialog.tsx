import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import type { Webhook } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { fieldError } from "../shared/problem.ts";
import { webhookProviders } from "./providers.ts";
import { useCreateWebhook } from "./use-webhooks.ts";
import { WebhookFields, webhookPointers } from "./webhook-fields.tsx";

type CreateWebhookDialogProps = { onCreated: (webhook: Webhook) => void; onClose: () => void };

/** Creates a webhook. */
export const CreateWebhookDialog = ({ onCreated, onClose }: CreateWebhookDialogProps) => {
  const [provider, setProvider] = useState("github");
  const [texts, setTexts] = useState({ signingSecret: "", externalContext: "", filter: "" });
  const { mutate, error, isPending } = useCreateWebhook();
  const body = {
    provider,
    signingSecret: texts.signingSecret || null,
    externalContext: texts.externalContext || null,
    filter: texts.filter || null,
  };
  return (
    <FormDialog
      title="Create webhook"
      action="Create"
      error={error}
      shownAt={["/provider", ...webhookPointers]}
      isPending={isPending}
      onSubmit={() => mutate(body, { onSuccess: onCreated })}
      onClose={onClose}
    >
      <NativeSelect
        label="Provider"
        data-autofocus
        value={provider}
        data={webhookProviders.map(({ id, label }) => ({ value: id, label }))}
        onChange={({ currentTarget }) => setProvider(currentTarget.value)}
        error={fieldError(error, "/provider")}
      />
      <WebhookFields
        provider={provider}
        texts={texts}
        onChange={setTexts}
        error={error}
        hasSecret={false}
      />
    </FormDialog>
  );
};
