import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { ExecutionDetail, Score } from "../../../../client/openapi.ts";
import { useMayAt } from "../../agent-queries/use-may-at.ts";
import { DeleteDialog } from "../../shared/delete-dialog.tsx";
import { ReadProblem } from "../../shared/read-problem.tsx";
import { type Column, ResourceTable } from "../../shared/resource-table.tsx";
import { RowMenu } from "../../shared/row-menu.tsx";
import { Time } from "../../shared/time.tsx";
import { AddScoreDialog } from "./add-score-dialog.tsx";
import { FeedbackLinkDialog } from "./feedback-link-dialog.tsx";
import { ThumbButtons } from "./thumb-buttons.tsx";
import { type ScoredExecution, useDeleteScore, useScores } from "./use-scores.ts";

const sources: Readonly<Record<Score["source"], string>> = {
  Api: "API",
  FeedbackLink: "Feedback link",
  Chat: "Chat",
  Evaluation: "Scorer",
};

const formatValue = (value: Score["value"]): string => {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
};

const columns: readonly Column<Score>[] = [
  { header: "Score", cell: ({ name }) => name },
  { header: "Value", cell: ({ value }) => formatValue(value) },
  {
    header: "Comment",
    isWide: true,
    cell: ({ comment }) =>
      comment !== null && (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {comment}
        </Text>
      ),
  },
  {
    header: "Given by",
    isSecondary: true,
    cell: ({ source, createdBy }) =>
      createdBy === null ? sources[source] : `${sources[source]}: ${createdBy}`,
  },
  { header: "Span", isSecondary: true, cell: ({ spanId }) => spanId ?? "" },
  { header: "When", isSecondary: true, cell: ({ createdAt }) => <Time value={createdAt} /> },
];

/** Shows the scores of an execution; a thumb scores it immediately. */
export const ScoreSection = ({ execution }: { execution: ExecutionDetail }) => {
  const place: ScoredExecution = { agent: execution.agentId, executionRecord: execution.id };
  const mayWrite = useMayAt(execution.agentId)("traces:write");
  const list = useScores(place);
  const [open, setOpen] = useState<"add" | "link">();
  const close = (): void => setOpen(undefined);
  const [deleted, setDeleted] = useState<Score>();
  return (
    <section aria-label="Scores">
      <Stack gap="xs">
        <Group gap="xs">
          <Title order={2} size="h4">
            Scores
          </Title>
          {mayWrite && (
            <>
              <ThumbButtons place={place} scores={list.items} />
              <Button variant="default" size="compact-sm" onClick={() => setOpen("add")}>
                Add score
              </Button>
              <Button variant="default" size="compact-sm" onClick={() => setOpen("link")}>
                {" "}
                Create feedback link{" "}
              </Button>
            </>
          )}
        </Group>
        {list.items.length === 0 && !list.isLoading ? (
          <>
            <ReadProblem error={list.error} />
            {!list.error && (
              <Text size="sm" c="dimmed">
                This execution has no scores yet.
              </Text>
            )}
          </>
        ) : (
          <ResourceTable
            label="Scores of the execution"
            list={list}
            getId={({ id }) => id}
            columns={columns}
            actions={
              mayWrite
                ? (score) => (
                    <RowMenu
                      name={score.name}
                      actions={[
                        { label: "Delete", onClick: () => setDeleted(score), isDangerous: true },
                      ]}
                    />
                  )
                : undefined
            }
            empty={null}
          />
        )}
      </Stack>
      {open === "add" && <AddScoreDialog place={place} onClose={close} />}
      {open === "link" && <FeedbackLinkDialog place={place} onClose={close} />}
      {deleted && (
        <DeleteScoreDialog place={place} score={deleted} onClose={() => setDeleted(undefined)} />
      )}
    </section>
  );
};

type DeleteScoreDialogProps = { place: ScoredExecution; score: Score; onClose: () => void };

const DeleteScoreDialog = ({ place, score, onClose }: DeleteScoreDialogProps) => {
  const { mutateAsync } = useDeleteScore(place);
  return (
    <DeleteDialog
      name={`the score ${score.name}`}
      onDelete={() => mutateAsync(score.id)}
      onClose={onClose}
    >
      The usage report no longer counts it.
    </DeleteDialog>
  );
};
