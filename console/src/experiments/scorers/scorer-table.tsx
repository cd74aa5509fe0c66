import { Code, Text } from "@mantine/core";
import { useState } from "react";
import type { Scorer } from "../../../../client/openapi.ts";
import { useMay } from "../../session/permissions.ts";
import { DeleteDialog } from "../../shared/delete-dialog.tsx";
import { EmptyState } from "../../shared/empty-state.tsx";
import { type Column, ResourceTable } from "../../shared/resource-table.tsx";
import { RowMenu } from "../../shared/row-menu.tsx";
import { Time } from "../../shared/time.tsx";
import { ScorerDialog } from "./scorer-dialog.tsx";
import { useDeleteScorer, useScorers } from "./use-scorers.ts";

/** Returns what a scorer goes by. */
const describeMethod = (scorer: Scorer): string => {
  switch (scorer.type) {
    case "Exact":
      return scorer.path ?? "the whole output";
    case "JsonSchema":
      return JSON.stringify(scorer.schema);
    case "Expression":
      return scorer.value ?? "";
    case "Judge":
      return scorer.rubric ?? "";
    case "Agent":
      return scorer.agentId ?? "";
    case "Guardrail":
      return scorer.guardrailId ?? "";
  }
};

const columns: readonly Column<Scorer>[] = [
  { header: "Scorer", cell: ({ displayName }) => displayName },
  { header: "Type", cell: ({ type }) => type },
  { header: "ID", cell: ({ id }) => <Code style={{ overflowWrap: "anywhere" }}>{id}</Code> },
  {
    header: "Criteria",
    isWide: true,
    cell: (scorer) => (
      <Text size="sm" lineClamp={2} style={{ overflowWrap: "anywhere" }}>
        {describeMethod(scorer)}
      </Text>
    ),
  },
  { header: "Changed", isSecondary: true, cell: ({ modifiedAt }) => <Time value={modifiedAt} /> },
];

/** Lists, changes and deletes the scorers. */
export const ScorerTable = () => {
  const mayWrite = useMay()("datasets:write");
  const list = useScorers();
  const [opened, setOpened] = useState<{ scorer: Scorer; dialog: "edit" | "delete" }>();
  const close = (): void => setOpened(undefined);
  const menu = (scorer: Scorer) => (
    <RowMenu
      name={scorer.displayName}
      actions={[
        { label: "Edit", onClick: () => setOpened({ scorer, dialog: "edit" }) },
        {
          label: "Delete",
          onClick: () => setOpened({ scorer, dialog: "delete" }),
          isDangerous: true,
        },
      ]}
    />
  );
  return (
    <>
      <ResourceTable
        label="Scorers"
        list={list}
        getId={({ id }) => id}
        columns={columns}
        actions={mayWrite ? menu : undefined}
        empty={
          <EmptyState title="No scorers yet" docs="experiments">
            Create a scorer: it compares an output with the expected one, computes a score, or has a
            model or an agent rate the output.
          </EmptyState>
        }
      />
      {opened?.dialog === "edit" && <ScorerDialog scorer={opened.scorer} onClose={close} />}
      {opened?.dialog === "delete" && <DeleteScorerDialog scorer={opened.scorer} onClose={close} />}
    </>
  );
};

const DeleteScorerDialog = ({ scorer, onClose }: { scorer: Scorer; onClose: () => void }) => {
  const { mutateAsync } = useDeleteScorer(scorer.id);
  return (
    <DeleteDialog name={scorer.displayName} onDelete={() => mutateAsync()} onClose={onClose}>
      Experiments keep the scorer that they started with.
    </DeleteDialog>
  );
};
