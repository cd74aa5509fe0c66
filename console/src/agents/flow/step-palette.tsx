import { Combobox, Group, Modal, ScrollArea, Stack, Text, useCombobox } from "@mantine/core";
import { useEffect, useId, useState } from "react";
import { findStepTypes } from "../../flow-graph/step-types.tsx";
import classes from "./flow-editor.module.css";

type StepPaletteProps = {
  /** Where the step is added, in words. */
  place: string;
  onChoose: (type: string) => void;
  onClose: () => void;
};

/** Chooses the type of a new step, by search, arrows or click. */
export const StepPalette = ({ place, onChoose, onClose }: StepPaletteProps) => {
  const id = useId();
  const [text, setText] = useState("");
  const combobox = useCombobox({ opened: true });
  const found = findStepTypes(text);
  const { selectFirstOption } = combobox;
  // The first result of each search is selected.
  useEffect(() => {
    selectFirstOption();
  }, [text, selectFirstOption]);
  return (
    <Modal opened onClose={onClose} title="Add step" size="md" returnFocus={false}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {place}
        </Text>
        <Combobox store={combobox} onOptionSubmit={onChoose}>
          <Combobox.EventsTarget>
            <input
              className={classes.search}
              aria-label="Search steps"
              placeholder="Search steps"
              data-autofocus
              data-own-undo
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
          </Combobox.EventsTarget>
          <ScrollArea.Autosize mah={420} type="auto" mt="xs" viewportProps={{ tabIndex: 0 }}>
            <Combobox.Options aria-label="Types of steps">
              {found.map(({ type, line, icon }) => (
                <Combobox.Option key={type} value={type} aria-describedby={`${id}${type}`}>
                  <Group gap="sm" wrap="nowrap">
                    {icon}
                    <div>
                      <Text size="sm" fw={600}>
                        {type}
                      </Text>
                      <Text size="xs" c="inherit" id={`${id}${type}`} aria-hidden>
                        {line}
                      </Text>
                    </div>
                  </Group>
                </Combobox.Option>
              ))}
              {found.length === 0 && <Combobox.Empty>No step type matches</Combobox.Empty>}
            </Combobox.Options>
          </ScrollArea.Autosize>
        </Combobox>
      </Stack>
    </Modal>
  );
};
