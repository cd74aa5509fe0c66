import {
  Button,
  Fieldset,
  FileButton,
  Group,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from "@mantine/core";
import type { Integration } from "../../../client/openapi.ts";
import { FormFromSchema } from "../shared/form-from-schema.tsx";
import { fieldError } from "../shared/problem.ts";
import { type ConfigForm, credentialFields, settingFields } from "./config-form.ts";
import { CredentialFields } from "./credential-fields.tsx";
import { OAuthFields } from "./oauth-fields.tsx";
import { oauthPointers, supportsOAuth } from "./oauth-form.ts";

type ConfigFieldsProps = {
  integration: Integration;
  form: ConfigForm;
  onChange: (form: ConfigForm) => void;
  error: unknown;
  /** Whether the config has an MCP server, which allows to select some of its tools. */
  hasServer: boolean;
};

/** Returns the pointers that the fields of an integration's config show. */
export const configPointers = ({ parameters }: Integration): string[] => [
  "/displayName",
  "/parameters/tools",
  "/parameters/agents",
  ...oauthPointers,
  ...parameters.map(({ name, secret }) => `${secret ? "/auth" : ""}/parameters/${name}`),
];

/** The fields of a config: its settings, and its credentials. */
export const ConfigFields = (props: ConfigFieldsProps) => {
  const { integration, form, onChange, error, hasServer } = props;
  const settings = settingFields(integration);
  const credentials = credentialFields(integration);
  const readDocument = async (file: File | null): Promise<void> => {
    if (!file) return;
    onChange({ ...form, settings: { ...form.settings, document: await file.text() } });
  };
  return (
    <Stack>
      <TextInput
        label="Name"
        value={form.displayName}
        placeholder={integration.displayName}
        onChange={({ currentTarget }) => onChange({ ...form, displayName: currentTarget.value })}
        error={fieldError(error, "/displayName")}
      />
      {settings.length > 0 && (
        <FormFromSchema
          fields={settings}
          texts={form.settings}
          onChange={(texts) => onChange({ ...form, settings: texts })}
          error={error}
          pointer="/parameters"
        />
      )}
      {settings.some(({ name }) => name === "document") && (
        <Group>
          <FileButton onChange={(file) => void readDocument(file)} accept=".json,.yaml,.yml">
            {(file) => (
              <Button {...file} variant="default" size="xs">
                Choose document file
              </Button>
            )}
          </FileButton>
        </Group>
      )}
      {credentials.length > 0 && (
        <Fieldset legend="Credentials">
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              Stored encrypted and never shown.
            </Text>
            <FormFromSchema
              fields={credentials}
              texts={form.credentials}
              onChange={(texts) => onChange({ ...form, credentials: texts })}
              error={error}
              pointer="/auth/parameters"
            />
            {(integration.id === "openapi" || form.otherCredentials.length > 0) && (
              <CredentialFields
                entries={form.otherCredentials}
                onChange={(otherCredentials) => onChange({ ...form, otherCredentials })}
                error={error}
              />
            )}
          </Stack>
        </Fieldset>
      )}
      {(supportsOAuth(integration.id) || form.oauth) && (
        <OAuthFields
          form={form.oauth}
          onChange={(oauth) => onChange({ ...form, oauth })}
          error={error}
          isDiscovered={integration.id === "mcp"}
        />
      )}
      {hasServer && <OfferFields form={form} onChange={onChange} error={error} />}
    </Stack>
  );
};

type OfferFieldsProps = Pick<ConfigFieldsProps, "form" | "onChange" | "error">;

const OfferFields = ({ form, onChange, error }: OfferFieldsProps) => (
  <Fieldset legend="Offered by its MCP server">
    <Stack gap="sm">
      <TagsInput
        label="Tools"
        description="IDs. If empty, all tools of the integration."
        value={form.offeredTools}
        onChange={(offeredTools) => onChange({ ...form, offeredTools })}
        acceptValueOnBlur
        error={fieldError(error, "/parameters/tools")}
      />
      <TagsInput
        label="Agents"
        description="IDs of agents that are offered as tools."
        value={form.offeredAgents}
        onChange={(offeredAgents) => onChange({ ...form, offeredAgents })}
        acceptValueOnBlur
        error={fieldError(error, "/parameters/agents")}
      />
    </Stack>
  </Fieldset>
);
