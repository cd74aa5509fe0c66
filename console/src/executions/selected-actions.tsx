import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { ExecutionRecord } from "../../../client/openapi.ts";
import { AddToDatasetDialog } from "../datasets/add-to-dataset-dialog.tsx";
import { useMay } from "../session/permissions.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { formatPlural } from "../shared/format-plural.ts";
import { isOpen } from "./use-executions.ts";
import { useSelectedActions } from "./use-selected-actions.ts";

type SelectedActionsProps = {
  selected: readonly ExecutionRecord[];
  onDone: () => void;
};

/** Runs the selected executions again, cancels those in progress, or adds those of one agent to a dataset. */
export const SelectedActions = ({ selected, onDone }: SelectedActionsProps) => {
  const may = useMay();
  const { cancel, runAgain, done } = useSelectedActions();
  const [asked, setAsked] = useState<"cancel" | "run" | "add">();
  const close = (): void => setAsked(undefined);
  const open = selected.filter(({ status }) => isOpen(status));
  const agents = new Set(selected.map(({ agentId }) => agentId));
  const [agent] = agents;
  const isPending = cancel.isPending || runAgain.isPending;
  return (
    <Group role="group" aria-label="Selected executions" gap="sm">
      <Text aria-live="polite">
        {isPending ? `${done} of ${selected.length} done` : `${selected.length} selected`}
      </Text>
      {may("agents:execute") && (
        <>
          <Button variant="default" loading={isPending} onClick={() => setAsked("run")}>
            Run again
          </Button>
          {open.length > 0 && (
            <Button variant="default" loading={isPending} onClick={() => setAsked("cancel")}>
              Cancel {open.length}
            </Button>
          )}
        </>
      )}
      {may("datasets:write") &&
        (agents.size === 1 ? (
          <Button variant="default" onClick={() => setAsked("add")}>
            Add {selected.length} to dataset
          </Button>
        ) : (
          <Text c="dimmed">Select executions of one agent to add them to a dataset.</Text>
        ))}
      <Button variant="subtle" onClick={onDone}>
        Clear selection
      </Button>
      {asked === "run" && (
        <ConfirmDialog
          title={`Run ${formatPlural(selected.length, "execution")} again?`}
          action="Run again"
          onConfirm={async () => {
            await runAgain.mutateAsync(selected);
            onDone();
          }}
          onClose={close}
        >
          <Text>Runs the deployed revisions with the inputs of the selected executions.</Text>
        </ConfirmDialog>
      )}
      {asked === "cancel" && (
        <ConfirmDialog
          title={`Cancel ${formatPlural(open.length, "execution")}?`}
          action="Cancel executions"
          isDangerous
          onConfirm={async () => {
            await cancel.mutateAsync(open);
            onDone();
          }}
          onClose={close}
        >
          <Text>Ended executions are not changed.</Text>
        </ConfirmDialog>
      )}
      {asked === "add" && agent !== undefined && (
        <AddToDatasetDialog
          agent={agent}
          executionIds={selected.map(({ id }) => id)}
          onClose={close}
        />
      )}
    </Group>
  );
};
