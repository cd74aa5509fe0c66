import { didYouMean } from "../../platform/http/nearest-name.ts";
import type { CheckedTemplate } from "../../values/expression/check-templates-task.ts";
import type { PlacedTemplate } from "../../values/expression/collect-templates.ts";
import { buildPointer } from "../../values/json/json.ts";
import { below, type FlowProblem, type StepPlan } from "./step-type.ts";

/** Checks what only a new flow must fulfil: a step has no unknown members and no `{{ … }}`. */
export const checkWritten = (plan: StepPlan | undefined): FlowProblem[] => {
  if (!plan) return [];
  const braces = plan.templated.flatMap(({ pointer, value }) => below(pointer, findBraces(value)));
  return [...plan.findUnknown(), ...braces];
};

const findBraces = (value: unknown): FlowProblem[] => {
  if (typeof value === "string") {
    const text = withoutExpressions(value);
    const start = text.indexOf("{{");
    if (start === -1 || !text.includes("}}", start)) return [];
    return [{ pointer: "", detail: "must not contain {{ … }}: write expressions as {% … %}" }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    below(buildPointer(name), findBraces(member)),
  );
};

const withoutExpressions = (template: string): string => {
  const [first, ...rest] = template.split("{%");
  const texts = rest.map((part) =>
    part.includes("%}") ? part.slice(part.indexOf("%}") + 2) : part,
  );
  return [first, ...texts].join("");
};

/** Finds inputs that expressions read although the revision does not declare them. */
export const checkDeclared = (
  templates: readonly PlacedTemplate[],
  checked: ReadonlyMap<string, CheckedTemplate>,
  declared: readonly string[],
): FlowProblem[] =>
  templates.flatMap(({ pointer, text }) => {
    const result = checked.get(text);
    const inputs = result?.ok ? result.inputs : [];
    return inputs
      .filter(({ name }) => !declared.includes(name))
      .map(({ root, name }) => ({
        pointer,
        detail: didYouMean(
          `The expression reads ${root}.${name.slice(0, 128)}, which parametersMetadata does not declare`,
          name,
          declared,
        ),
      }));
  });
