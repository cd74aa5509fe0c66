import { NativeSelect } from "@mantine/core";
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
  const [webhook, setWebhook] = useState("");
  const [condition, setCondition] = useState<Condition>({ eventTypes: [], filter: "" });
  const [isMissing, setIsMissing] = useState(false);
  const { mutate, error, isPending } = useCreateSubscription(webhook);
  const none = isLoading || items.length > 0 ? "Choose a webhook" : "Create a webhook first";
  const submit = (): void => {
    setIsMissing(webhook === "");
    if (webhook === "") return;
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
      <NativeSelect
        label="Webhook"
        data-autofocus
        value={webhook}
        data={[
          { value: "", label: none },
          ...items.map((item) => ({ value: item.id, label: webhookLabel(item) })),
        ]}
        onChange={({ currentTarget }) => setWebhook(currentTarget.value)}
        error={isMissing && webhook === "" ? "Choose a webhook." : undefined}
      />
      <ConditionFields condition={condition} onChange={setCondition} error={error} />
    </FormDialog>
  );
};
