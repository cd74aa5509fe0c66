import { PasswordInput, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import { type FormState, textField } from "../shared/text-field.ts";
import type { OAuthForm, OAuthText } from "./oauth-form.ts";

/** Configures the identity provider of the company, at which people sign in, and the client there. */
export const IdentityFields = (props: FormState<OAuthForm>) => (
  <>
    <TextInput
      label="Identity provider"
      description="Issuer of the company's sign-in. Its metadata has the URLs that are empty here."
      placeholder="https://company.example.com"
      {...text(props, "identityProviderIssuer")}
    />
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label="Sign-in URL"
        description="Where users sign in."
        {...text(props, "identityProviderAuthorizationUrl")}
      />
      <TextInput
        label="Exchange URL"
        description="Where the identity provider exchanges tokens."
        {...text(props, "identityProviderTokenUrl")}
      />
      <TextInput
        label="Client ID at the identity provider"
        autoComplete="off"
        {...text(props, "identityProviderClientId")}
      />
      <PasswordInput
        label="Client secret at the identity provider"
        autoComplete="off"
        {...text(props, "identityProviderClientSecret")}
      />
    </SimpleGrid>
    <Textarea
      label="Private key at the identity provider"
      description="Optional, in place of a secret: PEM or JWK. Stored encrypted and never shown."
      autosize
      maxRows={6}
      autoComplete="off"
      spellCheck={false}
      {...text(props, "identityProviderClientPrivateKey")}
    />
    <PasswordInput
      label="ID token"
      description="Optional, in place of users who sign in. Replace it before it expires. Stored encrypted and never shown."
      autoComplete="off"
      {...text(props, "idToken")}
    />
  </>
);

const text = (props: FormState<OAuthForm>, name: OAuthText) =>
  textField(props, name, `/auth/${name}`);
