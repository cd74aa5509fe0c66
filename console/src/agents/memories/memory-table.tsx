import { Anchor, Button, Code, Group, Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Memory } from "../../../../client/openapi.ts";
import { useMayAt } from "../../agent-queries/use-may-at.ts";
import { useTenant } from "../../session/tenant.ts";
import { DeleteDialog } from "../../shared/delete-dialog.tsx";
import { EmptyState } from "../../shared/empty-state.tsx";
import { type Column, ResourceTable } from "../../shared/resource-table.tsx";
import { RowMenu } from "../../shared/row-menu.tsx";
import { Time } from "../../shared/time.tsx";
import { useDeleteMemories, useDeleteMemory, useMemories } from "./use-memories.ts";

type MemoryTableProps = { agent: string; namespace: string };

const buildColumns = (tenant: string, agent: string): Column<Memory>[] => [
  { header: "Fact", cell: ({ text }) => <span style={{ overflowWrap: "anywhere" }}>{text}</span> },
  { header: "Created", cell: ({ createdAt }) => <Time value={createdAt} /> },
  { header: "Expires", isSecondary: true, cell: ({ expiresAt }) => <Time value={expiresAt} /> },
  {
    header: "Source",
    isSecondary: true,
    isWide: true,
    cell: ({ executionId }) => (
      <Anchor
        component={Link}
        to={`/t/${tenant}/executions/${encodeURIComponent(agent)}/${executionId}`}
      >
        Open execution
      </Anchor>
    ),
  },
];

/** Lists the facts of a namespace, and deletes one or all of them. */
export const MemoryTable = ({ agent, namespace }: MemoryTableProps) => {
  const tenant = useTenant();
  const mayDelete = useMayAt(agent)("agents:execute");
  const list = useMemories(agent, namespace);
  const [open, setOpen] = useState<Memory | "all">();
  const close = (): void => setOpen(undefined);
  return (
    <Stack>
      <ResourceTable
        label="Memories"
        list={list}
        getId={({ id }) => id}
        columns={buildColumns(tenant, agent)}
        actions={
          mayDelete
            ? (memory) => (
                <RowMenu
                  name={memory.text}
                  actions={[{ label: "Delete", onClick: () => setOpen(memory), isDangerous: true }]}
                />
              )
            : undefined
        }
        empty={
          <EmptyState title="No memories">
            The namespace <Code>{namespace}</Code> has no facts. Run the agent: facts appear some
            seconds after the execution has succeeded. Tests store none.
          </EmptyState>
        }
      />
      {mayDelete && (
        <Group>
          <Button variant="default" onClick={() => setOpen("all")}>
            Delete all memories
          </Button>
        </Group>
      )}
      {open === "all" && <DeleteAllDialog agent={agent} namespace={namespace} onClose={close} />}
      {open !== undefined && open !== "all" && (
        <DeleteMemoryDialog agent={agent} memory={open} onClose={close} />
      )}
    </Stack>
  );
};

type DeleteMemoryProps = { agent: string; memory: Memory; onClose: () => void };

const DeleteMemoryDialog = ({ agent, memory: { id, text }, onClose }: DeleteMemoryProps) => {
  const { mutateAsync } = useDeleteMemory(agent, id);
  return (
    <DeleteDialog name="the memory" onDelete={() => mutateAsync()} onClose={onClose}>
      The agent no longer remembers “{text}”.
    </DeleteDialog>
  );
};

const DeleteAllDialog = ({
  agent,
  namespace,
  onClose,
}: MemoryTableProps & { onClose: () => void }) => {
  const { mutateAsync } = useDeleteMemories(agent, namespace);
  return (
    <DeleteDialog name="all memories" onDelete={() => mutateAsync()} onClose={onClose}>
      All facts of the namespace “{namespace}” are deleted immediately and permanently. Turns that
      started earlier add no facts.
    </DeleteDialog>
  );
};
