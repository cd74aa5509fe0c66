import { useState } from "react";
import type { Scorer } from "../../../../client/openapi.ts";
import { FormDialog } from "../../shared/form-dialog.tsx";
import { ScorerFields } from "./scorer-fields.tsx";
import {
  emptyScorerForm,
  isSchema,
  scorerPointers,
  toScorerBody,
  toScorerForm,
} from "./scorer-form.ts";
import { useSaveScorer } from "./use-scorers.ts";

type ScorerDialogProps = {
  /** The scorer to change; none to create one. */
  scorer?: Scorer;
  onClose: () => void;
};

/** Creates or changes a scorer. */
export const ScorerDialog = ({ scorer, onClose }: ScorerDialogProps) => {
  const [form, setForm] = useState(scorer ? toScorerForm(scorer) : emptyScorerForm);
  const { mutate, error, isPending } = useSaveScorer(scorer?.id);
  return (
    <FormDialog
      title={scorer ? `Edit ${scorer.displayName}` : "Create scorer"}
      action={scorer ? "Save" : "Create"}
      size="lg"
      error={error}
      shownAt={scorerPointers}
      isPending={isPending}
      onSubmit={() => isSchema(form.schema) && mutate(toScorerBody(form), { onSuccess: onClose })}
      onClose={onClose}
    >
      <ScorerFields form={form} onChange={setForm} error={error} isNew={!scorer} />
    </FormDialog>
  );
};
