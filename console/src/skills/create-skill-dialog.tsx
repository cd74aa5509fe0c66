import { Alert, List } from "@mantine/core";
import { useState } from "react";
import type { Skill } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { MarkdownDialog } from "./markdown-dialog.tsx";
import { SkillFields } from "./skill-fields.tsx";
import {
  emptySkillForm,
  type SkillForm,
  skillPointers,
  toSkillBody,
  toSkillForm,
} from "./skill-form.ts";
import { useCreateSkill } from "./use-skills.ts";

type CreateSkillDialogProps = { onCreated: (skill: Skill) => void; onClose: () => void };

type Start = { form: SkillForm; warnings: readonly string[] };

/** Creates a skill, empty or from the editable draft of a markdown file. */
export const CreateSkillDialog = ({ onCreated, onClose }: CreateSkillDialogProps) => {
  const [start, setStart] = useState<Start>();
  return start === undefined ? (
    <MarkdownDialog
      onDraft={(draft) => setStart({ form: toSkillForm(draft), warnings: draft.warnings ?? [] })}
      onSkip={() => setStart({ form: emptySkillForm, warnings: [] })}
      onClose={onClose}
    />
  ) : (
    <ReviewDialog start={start} onCreated={onCreated} onClose={onClose} />
  );
};

type ReviewDialogProps = CreateSkillDialogProps & { start: Start };

const ReviewDialog = ({ start, onCreated, onClose }: ReviewDialogProps) => {
  const [form, setForm] = useState(start.form);
  const { mutate, error, isPending } = useCreateSkill();
  return (
    <FormDialog
      title="Create skill"
      action="Create"
      size="lg"
      error={error}
      shownAt={skillPointers}
      isPending={isPending}
      onSubmit={() => mutate(toSkillBody(form), { onSuccess: onCreated })}
      onClose={onClose}
    >
      {start.warnings.length > 0 && (
        <Alert variant="default" title="Removed or corrected">
          <List size="sm">
            {start.warnings.map((warning) => (
              <List.Item key={warning}>{warning}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <SkillFields form={form} onChange={setForm} error={error} isNew />
    </FormDialog>
  );
};
