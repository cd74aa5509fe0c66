import { Select } from "@mantine/core";
import { useState } from "react";
import { FormDialog } from "../shared/form-dialog.tsx";
import { type Condition, ConditionFields, toConditions } from "../webhooks/condition-fields.tsx";
import { useCreateSubscription } from "../webhooks/use-subscriptions.ts";
import { useWebhooks } from "../webhooks/use-webhooks.ts";
import { webhookLabel } from "./webhook-label.ts";

const pointers = ["/eventTypes", "/filter"] as const;

/** Subscribes an asset to a webhook. */
export const SubscribeDialog = ({ asset, onClose }: { asset: string; onClose: () => void }) => {
  const { items, error: listError, isLoading } = useWebhooks(undefined);
  const [webhook, setWebhook] = useState<string>();
  const [condition, setCondition] = useState<Condition>({ eventTypes: [], filter: "" });
  const [isMissing, setIsMissing] = useState(false);
  const { mutate, error, isPending } = useCreateSubscription(webhook ?? "");
  const submit = (): void => {
    setIsMissing(webhook === undefined);
    if (webhook === undefined) return;
    const body = { subscriberType: "Asset", subscriberId: asset } as const;
    mutate({ ...body, ...toConditions(condition) }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title="Subscribe to a webhook"
      action="Subscribe"
      error={error ?? listError}
      shownAt={pointers}
      isPending={isPending}
      onSubmit={submit}
      onClose={onClose}
      size="lg"
    >
      <Select
        label="Webhook"
        data-autofocus
        searchable
        allowDeselect={false}
        placeholder={isLoading || items.length > 0 ? "Choose a webhook" : "Create a webhook first"}
        nothingFoundMessage="No webhook has this name"
        value={webhook ?? null}
        data={items.map((each) => ({ value: each.id, label: webhookLabel(each) }))}
        onChange={(value) => setWebhook(value ?? undefined)}
        error={isMissing && webhook === undefined ? "Choose a webhook." : undefined}
      />
      <ConditionFields condition={condition} onChange={setCondition} error={error} />
    </FormDialog>
  );
};
