import { Button, Group, SimpleGrid, Stack } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { Guardrail } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { CheckTable } from "./check-table.tsx";
import { DeleteGuardrailDialog } from "./delete-guardrail-dialog.tsx";
import { GuardrailFields } from "./guardrail-fields.tsx";
import { guardrailPointers, toGuardrailBody, toGuardrailForm } from "./guardrail-form.ts";
import { RevisionSection } from "./revision-section.tsx";
import { TryPane } from "./try-pane.tsx";
import { useGuardrail, useSaveGuardrail } from "./use-guardrails.ts";

const route = getRouteApi("/t/$tenant/guardrails/details/$guardrail");

/** Shows, changes and tries a guardrail, and shows its revisions. */
export const GuardrailPage = () => {
  const { tenant, guardrail: id } = route.useParams();
  const navigate = useNavigate();
  const mayWrite = useMay()("agents:write");
  const { data: guardrail, error } = useGuardrail(id);
  const [isDeleting, setIsDeleting] = useState(false);
  // Fields start again with the content of a restored revision.
  const [restored, setRestored] = useState(0);
  if (!guardrail) return error ? <ReadProblem error={error} /> : <PageLoader />;
  const menu = mayWrite && (
    <RowMenu
      name={guardrail.displayName}
      actions={[{ label: "Delete", onClick: () => setIsDeleting(true), isDangerous: true }]}
    />
  );
  return (
    <Page
      title={guardrail.displayName}
      back={`/t/${tenant}/guardrails`}
      description={`${guardrail.id}, revision ${guardrail.revision}`}
      actions={menu}
    >
      <ReadProblem error={error} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" style={{ alignItems: "start" }}>
        {mayWrite ? (
          <GuardrailEditor key={`${guardrail.id} ${restored}`} guardrail={guardrail} />
        ) : (
          <CheckTable guardrail={guardrail} />
        )}
        <TryPane key={guardrail.id} guardrail={guardrail} />
      </SimpleGrid>
      <RevisionSection guardrail={guardrail} onRestored={() => setRestored(restored + 1)} />
      {isDeleting && (
        <DeleteGuardrailDialog
          guardrail={guardrail}
          onDeleted={() => void navigate({ to: "/t/$tenant/guardrails", params: { tenant } })}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </Page>
  );
};

const GuardrailEditor = ({ guardrail }: { guardrail: Guardrail }) => {
  const stored = toGuardrailForm(guardrail.id, guardrail);
  const [form, setForm] = useState(stored);
  const { mutate, error, isPending } = useSaveGuardrail(guardrail.id);
  const isChanged = JSON.stringify(form) !== JSON.stringify(stored);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate(toGuardrailBody(form), {
      onSuccess: (saved) => setForm(toGuardrailForm(saved.id, saved)),
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <GuardrailFields form={form} onChange={setForm} error={error} isNew={false} />
        <ProblemAlert error={error} shownAt={guardrailPointers} />
        <Group>
          <Button type="submit" loading={isPending} disabled={!isChanged}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
