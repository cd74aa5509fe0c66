import { PasswordInput, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import type { FormState } from "../shared/text-field.ts";
import type { OAuthForm } from "./oauth-form.ts";
import { oauthText } from "./oauth-text.ts";

/** Configures the identity provider of the company, at which people sign in, and the client there. */
export const IdentityFields = (props: FormState<OAuthForm>) => (
  <>
    <TextInput
      description="Issuer of the company's sign-in. Its metadata has the URLs that are empty here."
      placeholder="https://company.example.com"
      {...oauthText(props, "identityProviderIssuer")}
    />
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        description="Where users sign in."
        {...oauthText(props, "identityProviderAuthorizationUrl")}
      />
      <TextInput
        description="Where the identity provider exchanges tokens."
        {...oauthText(props, "identityProviderTokenUrl")}
      />
      <TextInput autoComplete="off" {...oauthText(props, "identityProviderClientId")} />
      <PasswordInput autoComplete="off" {...oauthText(props, "identityProviderClientSecret")} />
    </SimpleGrid>
    <Textarea
      description="Optional, in place of a secret: PEM or JWK. Stored encrypted and never shown."
      autosize
      maxRows={6}
      autoComplete="off"
      spellCheck={false}
      {...oauthText(props, "identityProviderClientPrivateKey")}
    />
    <PasswordInput
      description="Optional, in place of users who sign in. Replace it before it expires. Stored encrypted and never shown."
      autoComplete="off"
      {...oauthText(props, "idToken")}
    />
  </>
);
