import { PasswordInput, Textarea, TextInput } from "@mantine/core";
import { JsonField } from "../shared/json-field.tsx";
import { refusedAt } from "../shared/problem.ts";
import { type FormState, textField } from "../shared/text-field.ts";
import type { OAuthForm, OAuthText } from "./oauth-form.ts";

/** Configures the assertion for which tokens are issued: a stored one, or the key and the claims of signed ones. */
export const AssertionFields = (props: FormState<OAuthForm>) => {
  const { form, onChange, error } = props;
  return (
    <>
      <Textarea
        label="Assertion key"
        description="PEM or JWK: signs an assertion for each request, as that of a service account. Stored encrypted and never shown."
        autosize
        maxRows={6}
        autoComplete="off"
        spellCheck={false}
        {...text(props, "assertionPrivateKey")}
      />
      {form.assertionPrivateKey === "" ? (
        <PasswordInput
          label="Assertion"
          description="In place of a key: a token of the workload. Replace it before it expires. Stored encrypted and never shown."
          autoComplete="off"
          {...text(props, "assertion")}
        />
      ) : (
        <>
          <TextInput
            label="Key ID"
            description="Optional. The kid in assertions."
            autoComplete="off"
            {...text(props, "assertionKeyId")}
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

const text = (props: FormState<OAuthForm>, name: OAuthText) =>
  textField(props, name, `/auth/${name}`);
