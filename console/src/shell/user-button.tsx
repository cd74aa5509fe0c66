import { ActionIcon, type ActionIconProps } from "@mantine/core";
import type { ComponentPropsWithRef } from "react";
import { UserIcon } from "../shared/icons.tsx";

type UserButtonProps = { email: string } & ActionIconProps & ComponentPropsWithRef<"button">;

/** Opens the menu of the user. */
export const UserButton = ({ email, ...props }: UserButtonProps) => (
  <ActionIcon variant="default" size="lg" radius="xl" aria-label={`User ${email}`} {...props}>
    <UserIcon />
  </ActionIcon>
);
