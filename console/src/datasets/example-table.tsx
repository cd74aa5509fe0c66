import { Code, Text, UnstyledButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Example } from "../../../client/openapi.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import type { ListState } from "../shared/use-list.ts";
import { ExampleDialog } from "./example-dialog.tsx";
import { type ExampleMember, ExampleRowForm } from "./example-row-form.tsx";
import classes from "./example-table.module.css";
import { toText } from "./json-text.ts";
import { useDeleteExample } from "./use-examples.ts";

type ExampleTableProps = {
  dataset: string;
  list: ListState<Example>;
  mayEdit: boolean;
  empty: ReactNode;
};

/** An example that is edited, and the member that was chosen. */
type Editing = { id: string; member: ExampleMember };

/** Lists examples, with inline editing. */
export const ExampleTable = ({ dataset, list, mayEdit, empty }: ExampleTableProps) => {
  const [editing, setEditing] = useState<Editing>();
  const [opened, setOpened] = useState<{ example: Example; dialog: "edit" | "delete" }>();
  const edit = mayEdit ? setEditing : undefined;
  const columns: Column<Example>[] = [
    {
      header: "Input",
      cell: (example) =>
        mayEdit && example.id === editing?.id ? (
          <ExampleRowForm
            dataset={dataset}
            example={example}
            focus={editing.member}
            onClose={() => setEditing(undefined)}
          />
        ) : (
          <Value example={example} member="input" onEdit={edit} />
        ),
    },
    {
      header: "Expected",
      isWide: true,
      cell: (example) =>
        example.id !== editing?.id && <Value example={example} member="expected" onEdit={edit} />,
    },
    {
      header: "Split",
      cell: (example) =>
        example.id !== editing?.id && <Value example={example} member="split" onEdit={edit} />,
    },
    {
      header: "Metadata",
      isSecondary: true,
      cell: ({ metadata }) => metadata !== null && <Clamped text={JSON.stringify(metadata)} />,
    },
    { header: "ID", isSecondary: true, cell: ({ id }) => <Code className={classes.id}>{id}</Code> },
  ];
  return (
    <>
      <ResourceTable
        label="Examples"
        list={list}
        getId={({ id }) => id}
        columns={columns}
        actions={
          mayEdit
            ? (example) => (
                <RowMenu
                  name={example.id}
                  actions={[
                    { label: "Edit", onClick: () => setOpened({ example, dialog: "edit" }) },
                    {
                      label: "Delete",
                      onClick: () => setOpened({ example, dialog: "delete" }),
                      isDangerous: true,
                    },
                  ]}
                />
              )
            : undefined
        }
        empty={empty}
      />
      {opened?.dialog === "edit" && (
        <ExampleDialog
          dataset={dataset}
          example={opened.example}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened?.dialog === "delete" && (
        <DeleteExampleDialog
          dataset={dataset}
          example={opened.example}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
};

/** A text of at most three lines; a word is not broken before its column is as wide as the word. */
const Clamped = ({ text, isWord = false }: { text: string; isWord?: boolean }) => (
  <Text size="sm" lineClamp={3} className={(isWord ? classes.word : classes.value) ?? ""}>
    {text}
  </Text>
);

type ValueProps = {
  example: Example;
  member: ExampleMember;
  onEdit: ((editing: Editing) => void) | undefined;
};

/** A value of an example; a click edits it inline. */
const Value = ({ example, member, onEdit }: ValueProps) => {
  const text = member === "input" ? JSON.stringify(example.input) : toText(example[member]);
  if (!onEdit) return <Clamped text={text} isWord={member === "split"} />;
  return (
    <UnstyledButton
      className={classes.editable ?? ""}
      title="Edit"
      aria-label={text === "" ? `Add ${member} of ${example.id}` : undefined}
      onClick={() => onEdit({ id: example.id, member })}
    >
      <Clamped text={text === "" ? "none" : text} isWord={member === "split"} />
    </UnstyledButton>
  );
};

type DeleteExampleDialogProps = { dataset: string; example: Example; onClose: () => void };

const DeleteExampleDialog = ({ dataset, example, onClose }: DeleteExampleDialogProps) => {
  const { mutateAsync } = useDeleteExample(dataset);
  return (
    <ConfirmDialog
      title="Delete the example?"
      action="Delete"
      done="Deleted the example."
      isDangerous
      onConfirm={() => mutateAsync(example.id)}
      onClose={onClose}
    >
      <Text>
        A new version of the dataset is created without the example. Earlier versions keep it.
      </Text>
      <Clamped text={JSON.stringify(example.input)} />
    </ConfirmDialog>
  );
};
