import { PasswordInput, Textarea, TextInput } from "@mantine/core";
import { JsonField } from "../shared/json-field.tsx";
import { refusedAt } from "../shared/problem.ts";
import type { FormState } from "../shared/text-field.ts";
import type { OAuthForm } from "./oauth-form.ts";
import { oauthText } from "./oauth-text.ts";

/** Configures the assertion for which tokens are issued: a stored one, or the key and the claims of signed ones. */
export const AssertionFields = (props: FormState<OAuthForm>) => {
  const { form, onChange, error } = props;
  return (
    <>
      <Textarea
        description="PEM or JWK: signs an assertion for each request, as that of a service account. Stored encrypted and never shown."
        autosize
        maxRows={6}
        autoComplete="off"
        spellCheck={false}
        {...oauthText(props, "assertionPrivateKey")}
      />
      {form.assertionPrivateKey === "" ? (
        <PasswordInput
          description="In place of a key: a token of the workload. Replace it before it expires. Stored encrypted and never shown."
          autoComplete="off"
          {...oauthText(props, "assertion")}
        />
      ) : (
        <>
          <TextInput
            description="Optional. The kid in assertions."
            autoComplete="off"
            {...oauthText(props, "assertionKeyId")}
          />
          <JsonField
            label="Claims"
            description="Such as iss, sub, aud and scope. Times and an id are added."
            placeholder='{"iss": "robot@example.com", "scope": "files.read"}'
            text={form.assertionClaims}
            onChange={(assertionClaims) => onChange({ ...form, assertionClaims })}
            problems={refusedAt(error, "/auth/assertionClaims")}
          />
        </>
      )}
    </>
  );
};
