import { ActionIcon, Button, Group, Select, Text } from "@mantine/core";
import { RedoIcon, UndoIcon } from "../../shared/icons.tsx";
import { unmounted } from "./form/text-fields.tsx";
import type { DocumentState } from "./use-document.ts";
import { ownUndo } from "./use-editor-keys.ts";

type EditorToolbarProps = {
  /** Number of the shown revision; null before the first one. */
  revision: number | null;
  state: DocumentState;
  mayWrite: boolean;
  steps: readonly { value: string; label: string }[];
  selected: string | undefined;
  onSelect: (stepId: string | undefined) => void;
  onAdd: () => void;
  panels: readonly { label: string; isOpen: boolean; onToggle: () => void }[];
};

/** Adds steps, finds them, undoes and redoes changes, and opens the panels of the editor. */
export const EditorToolbar = (props: EditorToolbarProps) => {
  const { revision, state, mayWrite, steps, selected, onSelect, onAdd, panels } = props;
  return (
    <Group gap="xs" {...ownUndo}>
      <Text c="dimmed" mr="xs">
        {revision === null ? "No revision yet" : `Revision ${revision}`}
      </Text>
      {mayWrite && (
        <>
          <Button variant="default" onClick={onAdd} disabled={!state.isValid}>
            Add step
          </Button>
          <ActionIcon.Group>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label="Undo"
              title="Undo (Ctrl+Z)"
              disabled={!state.mayUndo}
              onClick={state.undo}
            >
              <UndoIcon />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label="Redo"
              title="Redo (Ctrl+Shift+Z)"
              disabled={!state.mayRedo}
              onClick={state.redo}
            >
              <RedoIcon />
            </ActionIcon>
          </ActionIcon.Group>
        </>
      )}
      <Select
        comboboxProps={unmounted}
        aria-label="Find step"
        placeholder="Find step"
        w={{ base: 116, sm: 130 }}
        searchable
        clearable
        clearButtonProps={{ "aria-label": "Clear selection" }}
        nothingFoundMessage="No step has this name"
        value={steps.some(({ value }) => value === selected) ? (selected ?? null) : null}
        data={[...steps]}
        onChange={(id) => onSelect(id ?? undefined)}
      />
      <Button.Group>
        {panels.map(({ label, isOpen, onToggle }) => (
          <Button
            key={label}
            variant={isOpen ? "light" : "default"}
            aria-pressed={isOpen}
            onClick={onToggle}
          >
            {label}
          </Button>
        ))}
      </Button.Group>
    </Group>
  );
};
