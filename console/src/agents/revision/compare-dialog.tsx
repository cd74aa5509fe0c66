import { Group, Modal, NativeSelect, Skeleton, Stack } from "@mantine/core";
import { useState } from "react";
import type { RevisionSummary } from "../../../../client/openapi.ts";
import { useRevision } from "../../agent-queries/use-revisions.ts";
import { ReadProblem } from "../../shared/read-problem.tsx";
import { RevisionComparison } from "./revision-comparison.tsx";

type CompareDialogProps = {
  agent: string;
  revisions: readonly RevisionSummary[];
  /** The revision that is deployed; it is compared first. */
  deployed: number | null;
  onClose: () => void;
};

/** Compares two revisions of an agent, which one chooses. */
export const CompareDialog = ({ agent, revisions, deployed, onClose }: CompareDialogProps) => {
  const numbers = revisions.map(({ agentRevision }) => agentRevision);
  const [latest = 0, previous = latest] = numbers;
  const isDeployedEarlier = deployed !== null && deployed !== latest;
  const [first, setFirst] = useState(isDeployedEarlier ? deployed : previous);
  const [second, setSecond] = useState(latest);
  const before = useRevision(agent, first);
  const after = useRevision(agent, second);
  const error = before.error ?? after.error;
  const choices = [...new Set([first, ...numbers])].sort((left, right) => right - left);
  const data = choices.map((number) => ({
    value: String(number),
    label: `${number}${number === deployed ? " (deployed)" : ""}`,
  }));
  return (
    <Modal opened onClose={onClose} title="Compare revisions" size="xl">
      <Stack>
        <Group grow>
          <NativeSelect
            label="Before"
            data-autofocus
            value={String(first)}
            data={data}
            onChange={({ currentTarget }) => setFirst(Number(currentTarget.value))}
          />
          <NativeSelect
            label="After"
            value={String(second)}
            data={data}
            onChange={({ currentTarget }) => setSecond(Number(currentTarget.value))}
          />
        </Group>
        <ReadProblem error={error} />
        {before.data && after.data && (
          <RevisionComparison before={before.data} after={after.data} />
        )}
        {(before.isLoading || after.isLoading) && (
          <Skeleton height={200} role="status" aria-label="Loading" />
        )}
      </Stack>
    </Modal>
  );
};
