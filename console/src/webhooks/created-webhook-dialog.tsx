import { Text } from "@mantine/core";
import type { Webhook } from "../../../client/openapi.ts";
import { InboundAddress } from "../shared/inbound-address.tsx";
import { SecretField } from "../shared/secret-field.tsx";
import { ShownOnceDialog } from "../shared/shown-once-dialog.tsx";
import { providerLabel } from "./providers.ts";

type CreatedWebhookDialogProps = { webhook: Webhook; onClose: () => void };

/** Shows the address and, once, the signing secret of a webhook. */
export const CreatedWebhookDialog = ({ webhook, onClose }: CreatedWebhookDialogProps) => (
  <ShownOnceDialog title={`${providerLabel(webhook.provider)} webhook`} onClose={onClose}>
    <Text>Enter the address at the provider, then subscribe an agent.</Text>
    <InboundAddress url={webhook.webhookUrl} keyName={`Webhook ${webhook.provider}`} />
    {webhook.signingSecret !== null && (
      <SecretField
        label="Signing secret"
        description="Copy it now: it is never shown again."
        value={webhook.signingSecret}
      />
    )}
  </ShownOnceDialog>
);
