import { TextInput } from "@mantine/core";
import { useState } from "react";

type TypedFilterProps = {
  label: string;
  placeholder?: string;
  value: string | undefined;
  error?: string | undefined;
  inputMode?: "decimal";
  onChange: (value: string | undefined) => void;
};

/** A text of the address. It becomes a part of the address with Enter, or when the field loses the focus. */
export const TypedFilter = ({ value = "", onChange, ...props }: TypedFilterProps) => {
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  if (value !== shown) {
    setShown(value);
    setTyped(value);
  }
  const apply = (): void => {
    if (typed.trim() !== value) onChange(typed.trim() || undefined);
  };
  return (
    <TextInput
      {...props}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === "Enter" && apply()}
    />
  );
};
