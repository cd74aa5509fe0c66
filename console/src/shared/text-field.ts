import { fieldError } from "./problem.ts";

/** Values of a form, what changes them, and the error of its request. */
export type FormState<Form> = { form: Form; onChange: (form: Form) => void; error: unknown };

/** Returns the props of a text field for a member of a form, with the API's message about it. */
export const textField = <Name extends string, Form extends Readonly<Record<Name, string>>>(
  { form, onChange, error }: FormState<Form>,
  name: Name,
  pointer = `/${name}`,
) => ({
  value: form[name],
  onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
    onChange({ ...form, [name]: currentTarget.value }),
  error: fieldError(error, pointer),
});
