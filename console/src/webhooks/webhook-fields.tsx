import { PasswordInput, TextInput } from "@mantine/core";
import { type FormState, textField } from "../shared/text-field.ts";
import { webhookProviders } from "./providers.ts";
import type { WebhookForm } from "./webhook-form.ts";

const contextHints: Readonly<Record<string, string>> = {
  github: "The repository, as owner/repo.",
  gitlab: "The project's path or ID.",
  jira: "The site, such as https://acme.atlassian.net.",
  linear: "The ID of a team; all public teams, if empty.",
};

const filterHints: Readonly<Record<string, string>> = {
  github: "Names of events, separated by commas; all, if empty.",
  gitlab: "Names of events, separated by commas; all, if empty.",
  jira: "A JQL query; all issues, if empty.",
  telegram: "Types of updates, separated by commas.",
  linear: "Types of resources, separated by commas.",
};

type WebhookFieldsProps = FormState<WebhookForm> & {
  /** Whether a secret is stored, which an empty field keeps. */
  hasSecret: boolean;
};

/** Fields of a webhook, with hints about its provider. */
export const WebhookFields = (props: WebhookFieldsProps) => {
  const { provider } = props.form;
  return (
    <>
      <PasswordInput
        label="Signing secret"
        description={secretHint(provider, props.hasSecret)}
        autoComplete="off"
        {...textField(props, "signingSecret")}
      />
      <TextInput
        label="External context"
        description={contextHints[provider] ?? "What the webhook belongs to at the provider."}
        {...textField(props, "externalContext")}
      />
      <TextInput
        label="Filter"
        description={filterHints[provider] ?? "The provider's own filter of events, if it has one."}
        {...textField(props, "filter")}
      />
    </>
  );
};

const secretHint = (provider: string, hasSecret: boolean): string => {
  const place = webhookProviders.find(({ id }) => id === provider)?.issuesSecretAt;
  if (place === undefined) {
    return hasSecret
      ? "The stored one is kept, if empty."
      : "One is created for you where the provider takes it, if empty.";
  }
  return `The provider issues it: ${place}. ${
    hasSecret ? "The stored one is kept, if empty." : "It can be added later."
  }`;
};
