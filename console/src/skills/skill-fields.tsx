import { Stack, TagsInput, Textarea } from "@mantine/core";
import { NameFields } from "../shared/name-fields.tsx";
import { fieldError } from "../shared/problem.ts";
import { type FormState, textField } from "../shared/text-field.ts";
import { ResourceFields } from "./resource-fields.tsx";
import type { SkillForm } from "./skill-form.ts";

type SkillFieldsProps = FormState<SkillForm> & { isNew: boolean };

/** The fields of a skill. */
export const SkillFields = (props: SkillFieldsProps) => {
  const { form, onChange, error } = props;
  return (
    <Stack>
      <NameFields {...props} isIdRequired idUse="Identifies the skill in steps of flows." />
      <Textarea
        label="Description"
        description="The purpose of the skill, and when the model uses it."
        required
        withAsterisk={false}
        autosize
        minRows={2}
        {...textField(props, "description")}
      />
      <Textarea
        label="Instructions"
        description="Markdown for the model."
        autosize
        minRows={6}
        maxRows={24}
        ff="monospace"
        {...textField(props, "instructions")}
      />
      <TagsInput
        label="Tools"
        description="Integration and tool, such as system/calculate. Press Enter after each."
        value={form.tools}
        onChange={(tools) => onChange({ ...form, tools })}
        acceptValueOnBlur
        error={fieldError(error, "/tools")}
      />
      <ResourceFields
        resources={form.resources}
        onChange={(resources) => onChange({ ...form, resources })}
        error={error}
      />
    </Stack>
  );
};
