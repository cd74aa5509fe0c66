import { ActionIcon, Menu } from "@mantine/core";
import { MoreIcon } from "./icons.tsx";

/** An action of a row. */
export type RowAction = { label: string; onClick: () => void; isDangerous?: boolean };

type RowMenuProps = {
  /** Name of the row, such as the key's name. */
  name: string;
  actions: readonly RowAction[];
};

/** The menu of a row. */
export const RowMenu = ({ name, actions }: RowMenuProps) =>
  actions.length > 0 && (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
          <MoreIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, onClick, isDangerous }) => (
          <Menu.Item
            key={label}
            onClick={onClick}
            {...(isDangerous && { c: "var(--mantine-color-error)" })}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
