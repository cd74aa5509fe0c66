import { TextInput } from "@mantine/core";
import { fieldError } from "../shared/problem.ts";
import { ExpiresField } from "./expires-field.tsx";
import { ScopeFields } from "./scope-fields.tsx";

/** Values of the fields of a key. */
export type KeyForm = {
  name: string;
  scopes: string[];
  /** Last day, or empty. */
  date: string;
};

/** Pointers that the fields show. */
export const keyPointers: readonly string[] = ["/name", "/scopes", "/expiresAt"];

type KeyFieldsProps = {
  form: KeyForm;
  onChange: (changed: Partial<KeyForm>) => void;
  error: unknown;
};

/** Name, scopes and expiry of a key. */
export const KeyFields = ({ form, onChange, error }: KeyFieldsProps) => (
  <>
    <TextInput
      label="Name"
      description="Where the key is used, such as “Production runner”."
      required
      withAsterisk={false}
      data-autofocus
      value={form.name}
      onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      error={fieldError(error, "/name")}
    />
    <ScopeFields
      scopes={form.scopes}
      onChange={(scopes) => onChange({ scopes })}
      error={fieldError(error, "/scopes")}
    />
    <ExpiresField
      date={form.date}
      onChange={(date) => onChange({ date })}
      error={fieldError(error, "/expiresAt")}
    />
  </>
);
