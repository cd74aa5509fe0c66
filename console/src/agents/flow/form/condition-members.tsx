import { Button, Fieldset, Stack } from "@mantine/core";
import { isRecord, itemsIn, textIn, withItem } from "../../../flow-graph/members.ts";
import { ExpressionField } from "../expression/expression-field.tsx";
import type { StepForm } from "./step-form.ts";
import type { StepSurroundings } from "./step-surroundings.ts";
import { ChoiceMember } from "./text-fields.tsx";

type ConditionMembersProps = { form: StepForm; surroundings: StepSurroundings };

/** Cases of a condition: the first true expression chooses the next step. */
export const ConditionMembers = ({ form, surroundings }: ConditionMembersProps) => {
  const cases = itemsIn(form.step.cases).map((item) => (isRecord(item) ? item : {}));
  const setCases = (next: readonly unknown[]): void => form.set("cases", next);
  return (
    <>
      {cases.map((branch, index) => {
        const number = index + 1;
        const set = (name: string, value: unknown): void =>
          setCases(withItem(cases, index, { ...branch, [name]: value }));
        return (
          <Fieldset key={`case ${number}`} legend={`Case ${number}`} p="sm">
            <Stack gap="xs">
              <ExpressionField
                label={`When ${number}`}
                description={index === 0 ? "An expression, such as input.number > 5" : undefined}
                isBare
                value={branch.when === undefined ? "" : String(branch.when)}
                onChange={(text) => set("when", text)}
                error={form.errorAt(`/cases/${index}/when`)}
              />
              <ChoiceMember
                label={`Then ${number}`}
                placeholder="Choose a step"
                value={textIn(branch.target)}
                data={surroundings.others}
                onChange={(target) => set("target", target ?? "")}
                error={form.errorAt(`/cases/${index}/target`)}
              />
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => setCases(cases.filter((_case, at) => at !== index))}
              >
                Remove case {number}
              </Button>
            </Stack>
          </Fieldset>
        );
      })}
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => setCases([...cases, { when: "", target: "" }])}
      >
        Add case
      </Button>
      <ChoiceMember
        label="Otherwise"
        placeholder="None: the execution ends"
        isClearable
        value={textIn(form.step.otherwise)}
        data={surroundings.others}
        onChange={(target) => form.set("otherwise", target)}
        error={form.errorAt("/otherwise")}
      />
    </>
  );
};
