import {
  Checkbox,
  Fieldset,
  NativeSelect,
  PasswordInput,
  SimpleGrid,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { fieldError } from "../shared/problem.ts";
import { ReadProblem } from "../shared/read-problem.tsx";
import { SecretField } from "../shared/secret-field.tsx";
import { AssertionFields } from "./assertion-fields.tsx";
import { IdentityFields } from "./identity-fields.tsx";
import {
  asksPerson,
  emptyOAuthForm,
  hasKey,
  nameSettings,
  type OAuthForm,
  type OAuthGrant,
} from "./oauth-form.ts";
import { oauthText } from "./oauth-text.ts";
import { useRedirectUrl } from "./use-connections.ts";

type OAuthFieldsProps = {
  /** Undefined without OAuth 2. */
  form: OAuthForm | undefined;
  onChange: (form: OAuthForm | undefined) => void;
  error: unknown;
  /** Whether the addresses and the client can be discovered, as those of an MCP server. */
  isDiscovered: boolean;
};

const grants: readonly { value: OAuthGrant; label: string }[] = [
  { value: "authorization_code", label: "authorization_code: a user gives consent" },
  { value: "client_credentials", label: "client_credentials: the client itself, without a user" },
  { value: "jwt-bearer", label: "jwt-bearer: an assertion, such as that of a service account" },
  { value: "id-jag", label: "id-jag: the sign-in at a company's identity provider" },
];

const owners = [
  { value: "tenant", label: "tenant: one account for all" },
  { value: "endUser", label: "endUser: an account for each end user" },
];

const authentications = [
  { value: "", label: "Default of the authorization server" },
  { value: "basic", label: "basic: in the Authorization header" },
  { value: "post", label: "post: in the request body" },
];

const audiences = [
  { value: "", label: "issuer: the identifier of the authorization server" },
  { value: "endpoint", label: "endpoint: the URL that is called" },
];

/** Configures how calls get an access token. */
export const OAuthFields = ({ form, onChange, error, isDiscovered }: OAuthFieldsProps) => (
  <>
    <Checkbox
      label="Use OAuth 2"
      description="Calls have the access token of an account. Connect an account on the page of the config."
      checked={form !== undefined}
      onChange={({ currentTarget: { checked } }) => onChange(checked ? emptyOAuthForm : undefined)}
      error={fieldError(error, "/auth/type")}
    />
    {form && (
      <Fieldset legend="OAuth 2">
        <Stack gap="sm">
          <Settings
            form={form}
            onChange={onChange}
            error={nameSettings(error)}
            isDiscovered={isDiscovered}
          />
        </Stack>
      </Fieldset>
    )}
  </>
);

const RedirectUrl = ({ grant }: { grant: OAuthGrant }) => {
  const { data, error } = useRedirectUrl();
  const server = grant === "id-jag" ? "identity provider" : "authorization server";
  return (
    <>
      <SecretField
        label="Redirect URL"
        description={`Register this URL for the client at the ${server}.`}
        value={data ?? ""}
      />
      <ReadProblem error={error} />
    </>
  );
};

type SettingsProps = OAuthFieldsProps & { form: OAuthForm };

const Settings = (props: SettingsProps) => {
  const { form, onChange, error, isDiscovered } = props;
  const asksPeople = asksPerson(form);
  return (
    <>
      <NativeSelect
        label="Grant"
        data={[...grants]}
        value={form.grant}
        onChange={({ currentTarget: { value } }) => onChange({ ...form, grant: findGrant(value) })}
        error={fieldError(error, "/auth/grant")}
      />
      {asksPeople && (
        <>
          <RedirectUrl grant={form.grant} />
          <NativeSelect
            label="Owner"
            data={owners}
            value={form.owner}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...form, owner: value === "endUser" ? value : "tenant" })
            }
            error={fieldError(error, "/auth/owner")}
          />
        </>
      )}
      <TextInput
        description={
          isDiscovered
            ? "Address of the authorization server. If empty, the MCP server names it."
            : "Address of the authorization server. Its metadata has the URLs that are empty here."
        }
        placeholder="https://login.example.com"
        {...oauthText(props, "issuer")}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {form.grant === "authorization_code" && (
          <TextInput
            description="Where users give consent."
            {...oauthText(props, "authorizationUrl")}
          />
        )}
        <TextInput
          description="Where tokens are issued and refreshed."
          {...oauthText(props, "tokenUrl")}
        />
      </SimpleGrid>
      {form.grant === "jwt-bearer" && (
        <AssertionFields form={form} onChange={onChange} error={error} />
      )}
      {form.grant === "id-jag" && <IdentityFields form={form} onChange={onChange} error={error} />}
      <ClientFields {...props} />
      <TagsInput
        label="Scopes"
        description="Press Enter after each."
        value={[...form.scopes]}
        onChange={(scopes) => onChange({ ...form, scopes })}
        acceptValueOnBlur
        error={fieldError(error, "/auth/scopes")}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          description="Optional. Where the tokens of a deleted connection are revoked."
          {...oauthText(props, "revocationUrl")}
        />
        <TextInput
          description="Optional. The API that tokens are for (RFC 8707)."
          {...oauthText(props, "resource")}
        />
      </SimpleGrid>
    </>
  );
};

const findGrant = (text: string): OAuthGrant =>
  grants.find(({ value }) => value === text)?.value ?? "authorization_code";

const describeClientId = (grant: OAuthGrant, isDiscovered: boolean): string => {
  if (grant === "jwt-bearer") return "Optional. The assertion may be enough.";
  const canRegister = isDiscovered && grant === "authorization_code";
  return canRegister
    ? "If empty, a client is registered."
    : "Of the client at the authorization server.";
};

const ClientFields = (props: SettingsProps) => {
  const { form, onChange, error, isDiscovered } = props;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          description={describeClientId(form.grant, isDiscovered)}
          autoComplete="off"
          {...oauthText(props, "clientId")}
        />
        <PasswordInput
          description="Stored encrypted and never shown."
          autoComplete="off"
          {...oauthText(props, "clientSecret")}
        />
      </SimpleGrid>
      <Textarea
        description="Optional, in place of a secret: PEM or JWK. Stored encrypted and never shown."
        autosize
        maxRows={6}
        autoComplete="off"
        spellCheck={false}
        {...oauthText(props, "clientPrivateKey")}
      />
      {form.clientPrivateKey === "" && (
        <NativeSelect
          label="Client authentication"
          description="How the client secret is sent."
          data={authentications}
          value={form.clientAuthentication}
          onChange={({ currentTarget: { value } }) =>
            onChange({
              ...form,
              clientAuthentication: value === "basic" || value === "post" ? value : "",
            })
          }
          error={fieldError(error, "/auth/clientAuthentication")}
        />
      )}
      {hasKey(form) && (
        <NativeSelect
          label="Assertion audience"
          description="The audience in the assertions that the key signs."
          data={audiences}
          value={form.clientAssertionAudience}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...form, clientAssertionAudience: value === "endpoint" ? value : "" })
          }
          error={fieldError(error, "/auth/clientAssertionAudience")}
        />
      )}
      <Checkbox
        label="Bind tokens to a key (DPoP)"
        description="A copied token is of no use. The authorization server and the service must support it."
        checked={form.dpop}
        onChange={({ currentTarget: { checked } }) => onChange({ ...form, dpop: checked })}
        error={fieldError(error, "/auth/dpop")}
      />
    </>
  );
};
