import { PasswordInput, TextInput } from "@mantine/core";
import { type FormState, textField } from "../shared/text-field.ts";
import { webhookProviders } from "./providers.ts";
import type { WebhookForm } from "./webhook-form.ts";

type WebhookFieldsProps = FormState<WebhookForm> & {
  /** Whether a secret is stored, which an empty field keeps. */
  hasSecret: boolean;
};

/** Fields of a webhook, with hints about its provider. */
export const WebhookFields = (props: WebhookFieldsProps) => {
  const provider = webhookProviders.find(({ id }) => id === props.form.provider);
  return (
    <>
      <PasswordInput
        label="Signing secret"
        description={secretHint(provider?.issuesSecretAt, props.hasSecret)}
        autoComplete="off"
        {...textField(props, "signingSecret")}
      />
      <TextInput
        label="External context"
        description={
          provider?.externalContextHint ?? "The resource at the provider, such as a repository."
        }
        {...textField(props, "externalContext")}
      />
      <TextInput
        label="Filter"
        description={provider?.filterHint ?? "The provider's event filter, if it has one."}
        {...textField(props, "filter")}
      />
    </>
  );
};

const secretHint = (place: string | undefined, hasSecret: boolean): string => {
  if (place === undefined) {
    return hasSecret
      ? "If empty, the stored secret is kept."
      : "If empty, a secret is created for providers that accept one.";
  }
  return `The provider issues it: ${place}. ${
    hasSecret ? "If empty, the stored secret is kept." : "It can be added later."
  }`;
};
