import { ActionIcon, Group } from "@mantine/core";
import type { Score } from "../../../../client/openapi.ts";
import { useSession } from "../../session/session-context.ts";
import { ThumbDownIcon, ThumbUpIcon } from "../../shared/icons.tsx";
import { ProblemAlert } from "../../shared/problem-alert.tsx";
import { type ScoredExecution, useDeleteScore, useSaveScore } from "./use-scores.ts";

/** The score of a thumb, here and under replies in chats. */
const thumbs = "thumbs";

type ThumbButtonsProps = { place: ScoredExecution; scores: readonly Score[] };

/** Scores an execution with a thumb; the same one again takes the user's score back. */
export const ThumbButtons = ({ place, scores }: ThumbButtonsProps) => {
  const { user } = useSession();
  const save = useSaveScore(place);
  const remove = useDeleteScore(place);
  const own = scores.find(({ name, createdBy }) => name === thumbs && createdBy === user.id);
  const isPending = save.isPending || remove.isPending;
  const press = (value: boolean): void => {
    if (own?.value === value) remove.mutate(own.id);
    else save.mutate({ name: thumbs, value, ...(own && { id: own.id }) });
  };
  const buttons = [
    { value: true, label: "Thumbs up", icon: <ThumbUpIcon /> },
    { value: false, label: "Thumbs down", icon: <ThumbDownIcon /> },
  ];
  return (
    <>
      <Group gap={4}>
        {buttons.map(({ value, label, icon }) => (
          <ActionIcon
            key={label}
            variant={own?.value === value ? "filled" : "default"}
            aria-label={label}
            aria-pressed={own?.value === value}
            disabled={isPending}
            onClick={() => press(value)}
          >
            {icon}
          </ActionIcon>
        ))}
      </Group>
      <ProblemAlert error={save.error ?? remove.error} />
    </>
  );
};
