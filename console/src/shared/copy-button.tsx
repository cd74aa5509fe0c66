import { Button, type ButtonProps, CopyButton as MantineCopyButton } from "@mantine/core";

type CopyButtonProps = Pick<ButtonProps, "size"> & {
  value: string;
  label?: string;
};

/** Copies a text. */
export const CopyButton = ({ value, label = "Copy", size = "sm" }: CopyButtonProps) => (
  <MantineCopyButton value={value}>
    {({ copied, copy }) => (
      <Button variant="default" size={size} onClick={copy}>
        <span aria-live="polite">{copied ? "Copied" : label}</span>
      </Button>
    )}
  </MantineCopyButton>
);
