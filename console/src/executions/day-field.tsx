import { TextInput } from "@mantine/core";
import { useState } from "react";

type DayFieldProps = {
  label: string;
  /** `YYYY-MM-DD`; undefined for none. */
  day: string | undefined;
  onChange: (day: string | undefined) => void;
  error: string | undefined;
};

/** While a year is typed, it starts with zeros. */
const firstDay = "1970-01-01";

/** A day of the address. What is typed becomes a part of the address when it is a whole day. */
export const DayField = ({ label, day = "", onChange, error }: DayFieldProps) => {
  const [typed, setTyped] = useState(day);
  const [shown, setShown] = useState(day);
  if (day !== shown) {
    setShown(day);
    setTyped(day);
  }
  return (
    <TextInput
      type="date"
      label={label}
      value={typed}
      error={error}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        if (value === "" || value >= firstDay) onChange(value || undefined);
      }}
    />
  );
};
