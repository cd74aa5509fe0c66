import { Fieldset, Stack } from "@mantine/core";
import { textIn, withMember } from "../../../flow-graph/members.ts";
import { ExpressionField } from "../expression/expression-field.tsx";
import { type ApprovalMode, readMode, withMode } from "./approval-mode.ts";
import { ApproverMembers } from "./approver-members.tsx";
import { OptionMember } from "./text-fields.tsx";
import { toToolMembers } from "./tool-keys.ts";

type ToolApprovalProps = {
  /** Name of the tool. */
  label: string;
  /** The item of the step's `tools`. */
  item: unknown;
  agentId: string;
  onChange: (item: unknown) => void;
  errorAt: (pointer: string) => string | undefined;
};

const modes: readonly { value: ApprovalMode; label: string }[] = [
  { value: "never", label: "no call" },
  { value: "always", label: "every call" },
  { value: "writes", label: "every call, unless the tool only reads" },
  { value: "expression", label: "calls for which an expression is true" },
];

/** Chooses which calls of a tool people approve, and who they are. */
export const ToolApproval = ({ label, item, agentId, onChange, errorAt }: ToolApprovalProps) => {
  const members = toToolMembers(item);
  const mode = readMode(item);
  const set = (name: string, value: unknown): void => onChange(withMember(members, name, value));
  return (
    <Fieldset legend={label} p="sm">
      <Stack gap="sm">
        <OptionMember
          label={`Approval of ${label}`}
          value={mode}
          options={modes}
          onChange={(chosen) => {
            const next = modes.find(({ value }) => value === chosen);
            if (next) onChange(withMode(item, next.value));
          }}
          error={mode === "expression" ? undefined : errorAt("/approval")}
        />
        {mode === "expression" && (
          <ExpressionField
            label="Expression"
            description="Reads the arguments of the call, input and steps. If it fails, the call needs an approval."
            value={textIn(members.approval)}
            onChange={(text) => set("approval", text)}
            error={errorAt("/approval")}
          />
        )}
        {mode !== "never" && (
          <ApproverMembers form={{ members, set, errorAt, agentId, allowsStarter: true }} />
        )}
      </Stack>
    </Fieldset>
  );
};
