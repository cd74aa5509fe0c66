import { type FormState, textField } from "../shared/text-field.ts";
import { type OAuthForm, type OAuthText, oauthLabels } from "./oauth-form.ts";

/** Returns the props of the field of a setting that is a text: its label, its value, and the API's message about it. */
export const oauthText = (props: FormState<OAuthForm>, name: OAuthText) => ({
  label: oauthLabels[name],
  ...textField(props, name, `/auth/${name}`),
});
