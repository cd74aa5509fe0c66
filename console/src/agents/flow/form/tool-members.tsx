import { isRecord, textIn, withMember } from "../../../flow-graph/members.ts";
import { ExpressionField } from "../expression/expression-field.tsx";
import type { StepForm } from "./step-form.ts";
import { ChoiceMember } from "./text-fields.tsx";
import { parseToolKey, toolKey } from "./tool-keys.ts";
import { useToolChoices } from "./use-tool-choices.ts";

/** Chooses the tool of a step, and fills in its parameters. */
export const ToolMembers = ({ form }: { form: StepForm }) => {
  const { step, replace, errorAt } = form;
  const choices = useToolChoices();
  const key = textIn(step.toolId) === "" ? "" : toolKey(step);
  const chosen = choices.find(({ value }) => value === key);
  const choose = (value: string | undefined): void => {
    if (value === undefined) return;
    const { configId: _, ...others } = step;
    replace({ ...others, ...parseToolKey(value), parameters: {} });
  };
  return (
    <>
      <ChoiceMember
        label="Tool"
        value={key}
        data={
          chosen || key === ""
            ? choices
            : [
                { value: key, label: `${textIn(step.toolId)} (${textIn(step.integrationId)})` },
                ...choices,
              ]
        }
        onChange={choose}
        error={errorAt("/integrationId") ?? errorAt("/toolId") ?? errorAt("/configId")}
      />
      <ToolParameters form={form} known={chosen?.tool.parametersMetadata ?? []} />
    </>
  );
};

type KnownParameter = {
  name: string;
  displayName?: string | null;
  description?: string | null;
  required?: boolean;
  defaultValue?: string | null;
};

/** Parameters of a tool: texts with expressions. */
const ToolParameters = ({ form, known }: { form: StepForm; known: readonly KnownParameter[] }) => {
  const parameters = isRecord(form.step.parameters) ? form.step.parameters : {};
  const unknown = Object.keys(parameters).filter(
    (name) => !known.some((parameter) => parameter.name === name),
  );
  const all: KnownParameter[] = [...known, ...unknown.map((name) => ({ name }))];
  return all.map(({ name, displayName, description, required = false, defaultValue }) => (
    <ExpressionField
      key={name}
      label={displayName || name}
      description={description || undefined}
      placeholder={defaultValue ?? undefined}
      isRequired={required}
      value={textIn(parameters[name])}
      onChange={(value) =>
        form.set("parameters", withMember(parameters, name, value === "" ? undefined : value))
      }
      error={form.errorAt(`/parameters/${name}`)}
    />
  ));
};
