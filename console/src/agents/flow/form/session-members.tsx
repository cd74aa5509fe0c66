import { Checkbox, Fieldset, Group, Stack } from "@mantine/core";
import type { Draft } from "../../../flow-graph/edit-flow.ts";
import { isRecord, textIn, withMember } from "../../../flow-graph/members.ts";
import { NumberMember, OptionMember } from "./text-fields.tsx";

type SessionMembersProps = {
  draft: Draft;
  onChange: (draft: Draft) => void;
  errorAt: (pointer: string) => string | undefined;
};

/** Whether the executions of a revision have sessions, and what these keep. */
export const SessionMembers = ({ draft, onChange, errorAt }: SessionMembersProps) => {
  const policy = isRecord(draft.sessionPolicy) ? draft.sessionPolicy : {};
  const set = (name: string, value: unknown): void => {
    const next = withMember(policy, name, value);
    const isEmpty = Object.keys(next).length === 0;
    onChange(withMember(draft, "sessionPolicy", isEmpty ? undefined : next));
  };
  const hasPolicy = Object.keys(policy).length > 0;
  const number = (name: string) => ({
    value: policy[name],
    onChange: (value: number | undefined) => set(name, value),
    error: errorAt(`/sessionPolicy/${name}`),
  });
  return (
    <Fieldset legend="Sessions" p="sm">
      <Stack gap="sm">
        <Checkbox
          label="Remember the conversation of a session"
          description="The model receives the earlier turns of the session: of a chat, or of the session that a request, a subscription or a schedule names."
          checked={draft.useSession === true}
          onChange={({ currentTarget }) =>
            onChange({ ...draft, useSession: currentTarget.checked })
          }
          error={errorAt("/useSession")}
        />
        {(draft.useSession === true || hasPolicy) && (
          <>
            <Group grow align="flex-start">
              <NumberMember label="Max stored turns" placeholder="50" {...number("maxTurns")} />
              <NumberMember
                label="Max stored tokens"
                placeholder="No limit"
                {...number("maxTokens")}
              />
            </Group>
            <OptionMember
              label="On overflow"
              none="drop (default)"
              value={textIn(policy.onOverflow)}
              options={[
                { value: "drop", label: "drop: the oldest turns are deleted" },
                { value: "summarize", label: "summarize: a summary replaces the oldest turns" },
              ]}
              onChange={(value) => set("onOverflow", value)}
              error={errorAt("/sessionPolicy/onOverflow")}
            />
            <NumberMember label="Retention in days" placeholder="30" {...number("retentionDays")} />
          </>
        )}
      </Stack>
    </Fieldset>
  );
};
