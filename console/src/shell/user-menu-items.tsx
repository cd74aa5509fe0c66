import { Menu, Text, useMantineColorScheme } from "@mantine/core";
import { useSession } from "../session/session-context.ts";
import { UserButton } from "./user-button.tsx";

type UserMenuItemsProps = { isOpen: boolean; onChange: (isOpen: boolean) => void };

/** The menu of the user: the colour scheme and the sign-out. */
export const UserMenuItems = ({ isOpen, onChange }: UserMenuItemsProps) => {
  const { user, signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" withinPortal={false} opened={isOpen} onChange={onChange}>
      <Menu.Target>
        <UserButton email={user.email} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text component="span" display="block" size="sm">
            {user.email}
          </Text>
          <Text component="span" display="block" size="xs">
            Role: {user.role || "none"}
          </Text>
          <Text component="span" display="block" size="xs">
            Times in {Intl.DateTimeFormat().resolvedOptions().timeZone}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(toScheme(value))}>
          <Menu.RadioItem value="light">Light</Menu.RadioItem>
          <Menu.RadioItem value="dark">Dark</Menu.RadioItem>
          <Menu.RadioItem value="auto">System</Menu.RadioItem>
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

const toScheme = (value: string): "light" | "dark" | "auto" =>
  value === "light" || value === "dark" ? value : "auto";
