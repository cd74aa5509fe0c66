import { Button, Group, Modal, Stack, Title } from "@mantine/core";
import { useState } from "react";
import type { Guardrail, GuardrailRevision } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { compareLines } from "../shared/compare-lines.ts";
import { LineDiff } from "../shared/line-diff.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { Time } from "../shared/time.tsx";
import { toGuardrailBody, toGuardrailForm } from "./guardrail-form.ts";
import { useGuardrailRevisions, useSaveGuardrail } from "./use-guardrails.ts";

const columns: readonly Column<GuardrailRevision>[] = [
  { header: "Revision", cell: ({ revision }) => `Revision ${revision}` },
  { header: "Name", cell: ({ displayName }) => displayName },
  { header: "Checks", isWide: true, cell: ({ checks }) => checks.map(({ id }) => id).join(", ") },
  { header: "Created", isSecondary: true, cell: ({ createdAt }) => <Time value={createdAt} /> },
];

type RevisionSectionProps = { guardrail: Guardrail; onRestored: () => void };

/** Lists the revisions of a guardrail, and compares earlier ones with the latest. */
export const RevisionSection = ({ guardrail, onRestored }: RevisionSectionProps) => {
  const list = useGuardrailRevisions(guardrail.id);
  const [compared, setCompared] = useState<GuardrailRevision>();
  return (
    <Stack component="section" aria-label="Revisions" gap="sm">
      <Title order={2} size="h4">
        Revisions
      </Title>
      <ResourceTable
        label="Revisions of the guardrail"
        list={list}
        getId={({ revision }) => String(revision)}
        columns={columns}
        actions={(revision) =>
          revision.revision !== guardrail.revision && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Compare revision ${revision.revision}`}
              onClick={() => setCompared(revision)}
            >
              Compare
            </Button>
          )
        }
        empty={null}
      />
      {compared && (
        <CompareDialog
          guardrail={guardrail}
          revision={compared}
          onRestored={onRestored}
          onClose={() => setCompared(undefined)}
        />
      )}
    </Stack>
  );
};

const toLines = ({ displayName, checks }: Guardrail | GuardrailRevision): string[] =>
  JSON.stringify({ displayName, checks }, null, 2).split("\n");

type CompareDialogProps = RevisionSectionProps & {
  revision: GuardrailRevision;
  onClose: () => void;
};

const CompareDialog = (props: CompareDialogProps) => {
  const { guardrail, revision, onRestored, onClose } = props;
  const mayWrite = useMay()("agents:write");
  const { mutate, error, isPending } = useSaveGuardrail(guardrail.id);
  const restore = (): void =>
    mutate(toGuardrailBody(toGuardrailForm(guardrail.id, revision)), {
      onSuccess: () => {
        onRestored();
        onClose();
      },
    });
  return (
    <Modal
      opened
      onClose={onClose}
      title={`From revision ${revision.revision} to ${guardrail.revision}`}
      size="xl"
    >
      <Stack>
        <LineDiff lines={compareLines(toLines(revision), toLines(guardrail))} />
        <ProblemAlert error={error} />
        {mayWrite && (
          <Group justify="flex-end">
            <Button variant="default" loading={isPending} onClick={restore}>
              Restore revision {revision.revision}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
};
