import type { NamedTemplate, TemplateFile } from "./template-file.ts";

const files = import.meta.glob<TemplateFile>("../../../examples/templates/*.agent.yaml", {
  eager: true,
  import: "default",
});

/** Those that need nothing and show most, before the others. */
const first: readonly string[] = ["support-triage", "cited-answers", "refund-approval"];

const rank = ({ name }: NamedTemplate): number => {
  const at = first.indexOf(name);
  return at === -1 ? first.length : at;
};

/** The templates. Import this lazily: it has all of their texts. */
export const allTemplates: readonly NamedTemplate[] = Object.entries(files)
  .map(([path, file]) => ({ name: path.replace(/^.*\/(.+)\.agent\.yaml$/, "$1"), ...file }))
  .toSorted((one, other) => rank(one) - rank(other));

/** Returns the template with a name. */
export const findTemplate = (name: string | undefined): NamedTemplate | undefined =>
  allTemplates.find((template) => template.name === name);
