import { Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { fieldError } from "../shared/problem.ts";

/** Values of the fields of an agent. */
export type AgentForm = { displayName: string; description: string };

type AgentFieldsProps = {
  form: AgentForm;
  onChange: (changed: Partial<AgentForm>) => void;
  error: unknown;
  /** Fields between name and description. */
  children?: ReactNode;
};

/** Name and description of an agent. */
export const AgentFields = ({ form, onChange, error, children }: AgentFieldsProps) => (
  <>
    <TextInput
      label="Name"
      required
      withAsterisk={false}
      data-autofocus
      value={form.displayName}
      onChange={({ currentTarget }) => onChange({ displayName: currentTarget.value })}
      error={fieldError(error, "/displayName")}
    />
    {children}
    <Textarea
      label="Description"
      autosize
      minRows={2}
      value={form.description}
      onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
      error={fieldError(error, "/description")}
    />
  </>
);
