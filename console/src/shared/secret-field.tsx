import { Group, TextInput } from "@mantine/core";
import { CopyButton } from "./copy-button.tsx";

type SecretFieldProps = { label: string; value: string; description?: string };

/** A text to copy, such as a secret that is shown once. */
export const SecretField = ({ label, value, description }: SecretFieldProps) => (
  <Group align="flex-end" wrap="nowrap" gap="xs">
    <TextInput
      label={label}
      description={description}
      value={value}
      readOnly
      flex={1}
      ff="monospace"
      autoComplete="off"
      spellCheck={false}
      onFocus={(event) => event.currentTarget.select()}
    />
    <CopyButton value={value} />
  </Group>
);
