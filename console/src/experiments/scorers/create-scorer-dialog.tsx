import { useState } from "react";
import { FormDialog } from "../../shared/form-dialog.tsx";
import { ScorerFields } from "./scorer-fields.tsx";
import { emptyScorerForm, isSchema, scorerPointers, toScorerMembers } from "./scorer-form.ts";
import { useCreateScorer } from "./use-scorers.ts";

/** Creates a scorer. */
export const CreateScorerDialog = ({ onClose }: { onClose: () => void }) => {
  const [form, setForm] = useState(emptyScorerForm);
  const { mutate, error, isPending } = useCreateScorer();
  const { id, type } = form;
  const body = { ...toScorerMembers(form), type, ...(id !== "" && { id }) };
  return (
    <FormDialog
      title="Create scorer"
      action="Create"
      size="lg"
      error={error}
      shownAt={scorerPointers}
      isPending={isPending}
      onSubmit={() => isSchema(form.schema) && mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    >
      <ScorerFields form={form} onChange={setForm} error={error} isNew />
    </FormDialog>
  );
};
