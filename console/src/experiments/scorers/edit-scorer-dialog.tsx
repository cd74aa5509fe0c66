import { useState } from "react";
import type { Scorer } from "../../../../client/openapi.ts";
import { FormDialog } from "../../shared/form-dialog.tsx";
import { ScorerFields } from "./scorer-fields.tsx";
import { isSchema, scorerPointers, toScorerForm, toScorerMembers } from "./scorer-form.ts";
import { useUpdateScorer } from "./use-scorers.ts";

type EditScorerDialogProps = { scorer: Scorer; onClose: () => void };

/** Changes a scorer. */
export const EditScorerDialog = ({ scorer, onClose }: EditScorerDialogProps) => {
  const [form, setForm] = useState(toScorerForm(scorer));
  const { mutate, error, isPending } = useUpdateScorer(scorer.id);
  return (
    <FormDialog
      title={`Edit ${scorer.displayName}`}
      action="Save"
      size="lg"
      error={error}
      shownAt={scorerPointers}
      isPending={isPending}
      onSubmit={() =>
        isSchema(form.schema) && mutate(toScorerMembers(form), { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <ScorerFields form={form} onChange={setForm} error={error} />
    </FormDialog>
  );
};
