import { isRecord, itemsIn, textIn } from "../../../flow-graph/members.ts";
import { ApprovalActions, readActions } from "./approval-actions.tsx";
import { ApproverMembers } from "./approver-members.tsx";
import { DurationMember } from "./duration-member.tsx";
import { ParameterRows } from "./parameter-rows.tsx";
import type { StepForm } from "./step-form.ts";
import type { StepSurroundings } from "./step-surroundings.ts";
import { NumberMember, OptionMember, TextMember } from "./text-fields.tsx";
import { ValueMember } from "./value-member.tsx";

type ApprovalMembersProps = { form: StepForm; surroundings: StepSurroundings };

/** Fields of a step that asks people. */
export const ApprovalMembers = ({ form, surroundings }: ApprovalMembersProps) => {
  const { step, set, errorAt } = form;
  return (
    <>
      <TextMember form={form} name="title" label="Title" isRequired />
      <TextMember form={form} name="message" label="Message" minRows={2} />
      <ValueMember form={form} name="data" label="Data" description="JSON that approvers see." />
      <ParameterRows
        legend="Fields to fill in"
        noun="field"
        none="No fields: a decision has an action and a comment."
        items={itemsIn(step.fields).map((item) => (isRecord(item) ? item : {}))}
        onChange={(fields) => set("fields", fields.length === 0 ? undefined : fields)}
        errorAt={(pointer) => errorAt(`/fields${pointer}`)}
      />
      <ApprovalActions form={form} others={surroundings.others} />
      <ApproverMembers
        form={{
          members: step,
          set,
          errorAt,
          agentId: surroundings.agentId,
          allowsStarter: false,
        }}
      />
      <NumberMember
        label="Required approvals"
        placeholder="1"
        value={step.minApprovals}
        onChange={(value) => set("minApprovals", value)}
        error={errorAt("/minApprovals")}
      />
      <DurationMember
        label="Timeout"
        unitLabel="Unit of time"
        placeholder="3 days"
        value={step.timeoutSeconds}
        onChange={(value) => set("timeoutSeconds", value)}
        error={errorAt("/timeoutSeconds")}
      />
      <OptionMember
        label="On timeout"
        none="fail (default)"
        value={textIn(step.onTimeout)}
        options={[
          { value: "fail", label: "fail: the step fails" },
          ...readActions(step).map(({ id, label }) => ({
            value: textIn(id),
            label: textIn(label) || textIn(id),
          })),
        ]}
        onChange={(value) => set("onTimeout", value)}
        error={errorAt("/onTimeout")}
      />
    </>
  );
};
