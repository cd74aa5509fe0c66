import { NativeSelect, Switch, Textarea, TextInput } from "@mantine/core";
import type { Connector, CreateConnectorBody } from "../../../client/openapi.ts";
import { FormFromSchema, type FormTexts } from "../shared/form-from-schema.tsx";
import { fieldError } from "../shared/problem.ts";
import { chatProviders } from "./providers.ts";

/** Values of the fields of a connector. */
export type ConnectorTexts = {
  name: string;
  policy: Connector["policy"];
  onBoardingMessage: string;
  isActive: boolean;
  parameters: FormTexts;
};

/** Pointers that the fields show. */
export const connectorPointers = [
  "/name",
  "/policy",
  "/onBoardingMessage",
  "/active",
  "/parameters",
] as const;

const policies: readonly { value: Connector["policy"]; label: string }[] = [
  { value: "RequireApproval", label: "RequireApproval: approved users only" },
  { value: "AllowAll", label: "AllowAll: all users in the chat" },
  { value: "DenyAll", label: "DenyAll: no users" },
];

/** Converts what was typed to the members that creating and changing have in common. */
export const toConnectorBody = (
  texts: ConnectorTexts,
): Pick<CreateConnectorBody, "parameters" | "policy" | "active" | "onBoardingMessage"> => ({
  policy: texts.policy,
  active: texts.isActive,
  onBoardingMessage: texts.onBoardingMessage === "" ? null : texts.onBoardingMessage,
  parameters: Object.fromEntries(
    Object.entries(texts.parameters).filter(([, value]) => value !== ""),
  ),
});

type ConnectorFieldsProps = {
  provider: Connector["provider"];
  texts: ConnectorTexts;
  onChange: (texts: ConnectorTexts) => void;
  error: unknown;
};

/** Fields of a connector, with the parameters of its provider. */
export const ConnectorFields = ({ provider, texts, onChange, error }: ConnectorFieldsProps) => (
  <>
    <TextInput
      label="Name"
      description="If empty, the name of the provider."
      value={texts.name}
      onChange={({ currentTarget }) => onChange({ ...texts, name: currentTarget.value })}
      error={fieldError(error, "/name")}
    />
    <FormFromSchema
      fields={chatProviders.find(({ id }) => id === provider)?.parameters ?? []}
      texts={texts.parameters}
      onChange={(parameters) => onChange({ ...texts, parameters })}
      error={error}
      pointer="/parameters"
    />
    <NativeSelect
      label="Policy"
      value={texts.policy}
      data={[...policies]}
      onChange={({ currentTarget }) => {
        const chosen = policies.find(({ value }) => value === currentTarget.value);
        if (chosen) onChange({ ...texts, policy: chosen.value });
      }}
      error={fieldError(error, "/policy")}
    />
    <Textarea
      label="Onboarding message"
      description="The reply to users who are not approved. If empty, no reply is sent."
      autosize
      minRows={2}
      value={texts.onBoardingMessage}
      onChange={({ currentTarget }) =>
        onChange({ ...texts, onBoardingMessage: currentTarget.value })
      }
      error={fieldError(error, "/onBoardingMessage")}
    />
    <Switch
      label="Receives messages"
      checked={texts.isActive}
      onChange={({ currentTarget }) => onChange({ ...texts, isActive: currentTarget.checked })}
      error={fieldError(error, "/active")}
    />
  </>
);
