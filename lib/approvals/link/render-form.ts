import type { ApprovalItem } from "../../executions/approvals/approval-store.ts";
import { type Html, html } from "../../platform/http/html.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import { type Form, formNames } from "./read-form.ts";

/** Renders the form of a decision: an input for each field, a comment, and a button for each action. */
export const renderForm = ({ fields, actions }: ApprovalItem, form: Form): Html => {
  const buttons = actions.map(
    ({ id, label }) => html`<button name="${formNames.action}" value="${id}">${label}</button>`,
  );
  return html`<form method="post">
${fields.map((field) => renderField(field, form))}
<label for="comment">Comment</label>
<textarea id="comment" name="${formNames.comment}" maxlength="1000" rows="2">${form[formNames.comment] ?? ""}</textarea>
${buttons}
</form>`;
};

const renderField = (field: ParameterDescriptor, form: Form): Html => {
  const name = formNames.field(field.name);
  const value = (Object.hasOwn(form, name) ? form[name] : undefined) ?? field.defaultValue ?? "";
  const note = field.description ? html`<small>${field.description}</small>` : "";
  const mark = field.required ? " (required)" : "";
  return html`<label for="${name}">${field.displayName ?? field.name}${mark}${note}</label>
${renderInput(field, name, value)}
`;
};

/** Values that are required are not `required` in HTML: a rejection needs none. */
const renderInput = (
  { type, options, integerRange }: ParameterDescriptor,
  name: string,
  value: string,
): Html => {
  switch (type) {
    case "Integer":
      return html`<input id="${name}" name="${name}" type="number" step="1"${range("min", integerRange?.min)}${range("max", integerRange?.max)} value="${value}">`;
    case "Float":
      return html`<input id="${name}" name="${name}" type="number" step="any" value="${value}">`;
    case "Boolean":
      return select(name, value, [
        { value: "true", label: "Yes" },
        { value: "false", label: "No" },
      ]);
    case "Option":
      return select(
        name,
        value,
        options.map((option) =>
          typeof option === "string"
            ? { value: option, label: option }
            : { value: option.value, label: option.displayName ?? option.value },
        ),
      );
    case "Json":
    case "File":
      return html`<textarea id="${name}" name="${name}" rows="4">${value}</textarea>`;
    case "String":
    case "Asset":
      return html`<textarea id="${name}" name="${name}" rows="1">${value}</textarea>`;
  }
};

const range = (name: "min" | "max", limit: number | null | undefined): Html =>
  limit === null || limit === undefined ? html`` : html` ${name}="${String(limit)}"`;

type Choice = { value: string; label: string };

const select = (name: string, value: string, choices: readonly Choice[]): Html =>
  html`<select id="${name}" name="${name}"><option value=""></option>${choices.map((choice) =>
    choice.value === value
      ? html`<option value="${choice.value}" selected>${choice.label}</option>`
      : html`<option value="${choice.value}">${choice.label}</option>`,
  )}</select>`;
