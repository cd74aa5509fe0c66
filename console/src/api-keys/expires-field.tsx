import { TextInput } from "@mantine/core";

type ExpiresFieldProps = {
  date: string;
  onChange: (date: string) => void;
  error: string | undefined;
};

/** The last day (UTC) on which a key is valid. */
export const ExpiresField = ({ date, onChange, error }: ExpiresFieldProps) => (
  <TextInput
    type="date"
    label="Expires"
    description="At the end of that day, UTC. Never, if empty."
    value={date}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    error={error}
  />
);
