import { Button, Menu, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTenant } from "../session/tenant.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { notifyDone } from "../shared/notify.ts";
import { builtInViews, formatViews, parseViews, type View } from "./saved-views.ts";
import type { ExecutionSearch } from "./search.ts";

type ViewMenuProps = { search: ExecutionSearch; onOpen: (search: ExecutionSearch) => void };

/** Opens filters by name, and saves those of the address in this browser. */
export const ViewMenu = ({ search, onOpen }: ViewMenuProps) => {
  const key = `wharf.views.${useTenant()}`;
  const [saved, setSaved] = useState(() => parseViews(localStorage.getItem(key)));
  const [name, setName] = useState<string>();
  const store = (views: View[], message: string): void => {
    localStorage.setItem(key, formatViews(views));
    setSaved(views);
    notifyDone({ message });
  };
  const item = (view: View) => (
    <Menu.Item key={view.name} onClick={() => onOpen(view.search)}>
      {view.name}
    </Menu.Item>
  );
  return (
    <>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <Button variant="default">Views</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {builtInViews(new Date()).map(item)}
          {saved.length > 0 && <Menu.Label>Saved in this browser</Menu.Label>}
          {saved.map(item)}
          <Menu.Divider />
          <Menu.Item onClick={() => setName("")}>Save this view</Menu.Item>
          {saved.map((view) => (
            <Menu.Item
              key={view.name}
              color="red"
              onClick={() =>
                store(
                  saved.filter((other) => other !== view),
                  `Deleted ${view.name}.`,
                )
              }
            >
              Delete “{view.name}”
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {name !== undefined && (
        <FormDialog
          title="Save view"
          action="Save"
          error={undefined}
          shownAt={[]}
          isPending={false}
          isReady={name.trim() !== ""}
          onSubmit={() => {
            const others = saved.filter((view) => view.name !== name.trim());
            store([...others, { name: name.trim(), search }], `Saved ${name.trim()}.`);
            setName(undefined);
          }}
          onClose={() => setName(undefined)}
        >
          <TextInput
            label="Name"
            description="Saves the current filters in this browser. To share them, share the address of the page."
            data-autofocus
            maxLength={60}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        </FormDialog>
      )}
    </>
  );
};
