import { Button, CloseButton, Group, PasswordInput, Stack, TextInput } from "@mantine/core";
import { fieldError } from "../shared/problem.ts";
import type { CredentialEntry } from "./config-form.ts";

type CredentialFieldsProps = {
  entries: readonly CredentialEntry[];
  onChange: (entries: CredentialEntry[]) => void;
  error: unknown;
};

/** Edits credentials by name, such as those of the security schemes of an OpenAPI document. */
export const CredentialFields = ({ entries, onChange, error }: CredentialFieldsProps) => {
  const change = (key: string, changed: Partial<CredentialEntry>): void =>
    onChange(entries.map((entry) => (entry.key === key ? { ...entry, ...changed } : entry)));
  const add = (): void => {
    const last = Math.max(-1, ...entries.map(({ key }) => Number(key)));
    onChange([...entries, { key: String(last + 1), name: "", value: "" }]);
  };
  return (
    <Stack gap="xs">
      {entries.map(({ key, name, value }, index) => (
        <Group key={key} align="flex-start" gap="xs">
          <TextInput
            aria-label={`Name of credential ${index + 1}`}
            placeholder="Security scheme"
            flex={1}
            value={name}
            onChange={({ currentTarget }) => change(key, { name: currentTarget.value })}
          />
          <PasswordInput
            aria-label={`Value of credential ${index + 1}`}
            placeholder="Value"
            flex={1}
            autoComplete="off"
            value={value}
            onChange={({ currentTarget }) => change(key, { value: currentTarget.value })}
            error={fieldError(error, `/auth/parameters/${name}`)}
          />
          <CloseButton
            aria-label={`Remove credential ${index + 1}`}
            mt={4}
            onClick={() => onChange(entries.filter((entry) => entry.key !== key))}
          />
        </Group>
      ))}
      <Group>
        <Button variant="default" size="xs" onClick={add}>
          Add credential by name
        </Button>
      </Group>
    </Stack>
  );
};
