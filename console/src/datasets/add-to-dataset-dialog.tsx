import { Anchor, Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { AddedExamples } from "../../../client/openapi.ts";
import { useTenant } from "../session/tenant.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { fieldError } from "../shared/problem.ts";
import { useLoadAll } from "../shared/use-load-all.ts";
import { useDatasets, useSaveDataset } from "./use-datasets.ts";
import { useAddFromExecutions } from "./use-examples.ts";

type AddToDatasetDialogProps = {
  agent: string;
  executionIds: readonly string[];
  onAdded?: () => void;
  onClose: () => void;
};

type Done = { dataset: string; added: AddedExamples };

const newDataset = "";

/** Makes examples of executions, in a dataset that exists or in a new one. */
export const AddToDatasetDialog = (props: AddToDatasetDialogProps) => {
  const { agent, executionIds, onAdded, onClose } = props;
  const { items: datasets } = useLoadAll(useDatasets());
  const [chosen, setChosen] = useState<string>();
  const [name, setName] = useState("");
  const [done, setDone] = useState<Done>();
  const create = useSaveDataset();
  const add = useAddFromExecutions();
  const dataset = chosen ?? datasets[0]?.id ?? newDataset;
  const addTo = (id: string): void =>
    add.mutate(
      { dataset: id, body: { agentId: agent, executionIds: [...executionIds] } },
      {
        onSuccess: (added) => {
          setDone({ dataset: id, added });
          onAdded?.();
        },
      },
    );
  const submit = (): void => {
    if (dataset !== newDataset) {
      addTo(dataset);
      return;
    }
    create.mutate(
      { displayName: name },
      {
        onSuccess: ({ id }) => {
          // It exists even if its examples are refused.
          setChosen(id);
          addTo(id);
        },
      },
    );
  };
  if (done) return <DoneDialog done={done} onClose={onClose} />;
  return (
    <FormDialog
      title="Add to dataset"
      action="Add"
      error={create.error ?? add.error}
      shownAt={["/displayName"]}
      isPending={create.isPending || add.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">
        {executionIds.length === 1
          ? "The execution becomes an example"
          : `${executionIds.length} executions become examples`}
        : the input as it was, and the output as the expected one. Secret inputs are left out.
      </Text>
      <Select
        label="Dataset"
        searchable
        allowDeselect={false}
        value={dataset}
        data={[
          { value: newDataset, label: "New dataset" },
          ...datasets.map(({ id, displayName }) => ({ value: id, label: displayName })),
        ]}
        onChange={(value) => setChosen(value ?? newDataset)}
      />
      {dataset === newDataset && (
        <TextInput
          label="Name"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={fieldError(create.error, "/displayName")}
        />
      )}
    </FormDialog>
  );
};

const DoneDialog = ({ done, onClose }: { done: Done; onClose: () => void }) => {
  const tenant = useTenant();
  const count = done.added.ids.length;
  const close = (event: FormEvent): void => {
    event.preventDefault();
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title="Added to dataset">
      <form onSubmit={close}>
        <Stack>
          <Text role="status">
            {count === 1 ? "1 example" : `${count} examples`}, version {done.added.version}.{" "}
            <Anchor
              component={Link}
              to={`/t/${tenant}/datasets/${encodeURIComponent(done.dataset)}`}
            >
              Open dataset
            </Anchor>
          </Text>
          <Group justify="flex-end">
            <Button type="submit">Done</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
