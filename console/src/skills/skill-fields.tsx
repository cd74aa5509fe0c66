import { Stack, TagsInput, Textarea, TextInput } from "@mantine/core";
import { fieldError } from "../shared/problem.ts";
import { ResourceFields } from "./resource-fields.tsx";
import type { SkillForm } from "./skill-form.ts";

type SkillFieldsProps = {
  form: SkillForm;
  onChange: (form: SkillForm) => void;
  error: unknown;
  /** The id of a skill that exists cannot be changed. */
  isNew: boolean;
};

/** The fields of a skill. */
export const SkillFields = ({ form, onChange, error, isNew }: SkillFieldsProps) => (
  <Stack>
    <TextInput
      label="Name"
      required
      withAsterisk={false}
      value={form.displayName}
      onChange={({ currentTarget }) => onChange({ ...form, displayName: currentTarget.value })}
      error={fieldError(error, "/displayName")}
    />
    {isNew && (
      <TextInput
        label="ID"
        description="Steps of flows name the skill by it. It cannot be changed later."
        required
        withAsterisk={false}
        value={form.id}
        onChange={({ currentTarget }) => onChange({ ...form, id: currentTarget.value })}
        error={fieldError(error, "/id")}
      />
    )}
    <Textarea
      label="Description"
      description="What the skill is for, and when the model uses it."
      required
      withAsterisk={false}
      autosize
      minRows={2}
      value={form.description}
      onChange={({ currentTarget }) => onChange({ ...form, description: currentTarget.value })}
      error={fieldError(error, "/description")}
    />
    <Textarea
      label="Instructions"
      description="Markdown for the model."
      autosize
      minRows={6}
      maxRows={24}
      ff="monospace"
      value={form.instructions}
      onChange={({ currentTarget }) => onChange({ ...form, instructions: currentTarget.value })}
      error={fieldError(error, "/instructions")}
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
