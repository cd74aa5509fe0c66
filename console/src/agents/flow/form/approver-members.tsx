import { Checkbox, MultiSelect, TagsInput, TextInput } from "@mantine/core";
import { useConnectors } from "../../../connectors/use-connectors.ts";
import {
  isRecord,
  type Members,
  textIn,
  textsIn,
  withMember,
} from "../../../flow-graph/members.ts";
import { useMay } from "../../../session/permissions.ts";
import { useLoadAll } from "../../../shared/use-load-all.ts";
import { ChoiceMember, unmounted } from "./text-fields.tsx";

/** A step or a tool that people approve, as its fields edit it. */
export type ApproverForm = {
  members: Members;
  set: (name: string, value: unknown) => void;
  errorAt: (pointer: string) => string | undefined;
  /** Id of the agent that asks. */
  agentId: string;
  /** Whether the starter of the execution may decide by default. */
  allowsStarter: boolean;
};

const roles = ["Owner", "Editor", "Viewer"];

/** Fields of the people who may decide. */
export const ApproverMembers = ({ form }: { form: ApproverForm }) => {
  const { members, errorAt, allowsStarter } = form;
  const approvers = isRecord(members.approvers) ? members.approvers : {};
  const set = (name: string, value: unknown): void => {
    const next = withMember(approvers, name, value);
    form.set("approvers", Object.keys(next).length === 0 ? undefined : next);
  };
  const setTexts = (name: string, values: readonly string[]): void =>
    set(name, values.length === 0 ? undefined : values);
  return (
    <>
      <TagsInput
        label="Users who may decide"
        description="IDs, email addresses or expressions. If empty, Owners and Editors of the agent decide."
        value={textsIn(approvers.users)}
        onChange={(users) => setTexts("users", users)}
        error={errorAt("/approvers/users")}
      />
      <MultiSelect
        comboboxProps={unmounted}
        label="Roles that may decide"
        data={roles}
        value={textsIn(approvers.roles)}
        onChange={(chosen) => setTexts("roles", chosen)}
        error={errorAt("/approvers/roles")}
      />
      <TagsInput
        label="Email addresses to notify"
        value={textsIn(approvers.emails)}
        onChange={(emails) => setTexts("emails", emails)}
        error={errorAt("/approvers/emails")}
      />
      <ChatMembers form={form} chat={approvers.chat} onChange={(chat) => set("chat", chat)} />
      <Checkbox
        label="The user who started the execution may decide"
        checked={typeof members.allowStarter === "boolean" ? members.allowStarter : allowsStarter}
        onChange={({ currentTarget: { checked } }) =>
          form.set("allowStarter", checked === allowsStarter ? undefined : checked)
        }
        error={errorAt("/allowStarter")}
      />
    </>
  );
};

type ChatMembersProps = {
  form: ApproverForm;
  chat: unknown;
  onChange: (chat: Members | undefined) => void;
};

/** Chooses the conversation that is asked. */
const ChatMembers = ({ form: { agentId, errorAt }, chat, onChange }: ChatMembersProps) => {
  const own = isRecord(chat) ? chat : undefined;
  return (
    <>
      <ConnectorMember
        agentId={agentId}
        value={textIn(own?.connectorId)}
        onChange={(connectorId) =>
          onChange(
            connectorId === undefined ? undefined : { conversationId: "", ...own, connectorId },
          )
        }
        error={errorAt("/approvers/chat/connectorId")}
      />
      {own && (
        <TextInput
          label="Conversation"
          description="Its ID in the chat, or an expression."
          value={textIn(own.conversationId)}
          onChange={({ currentTarget: { value } }) => onChange({ ...own, conversationId: value })}
          error={errorAt("/approvers/chat/conversationId")}
        />
      )}
    </>
  );
};

type ConnectorMemberProps = {
  agentId: string;
  value: string;
  onChange: (connectorId: string | undefined) => void;
  error: string | undefined;
};

const ConnectorMember = (props: ConnectorMemberProps) =>
  useMay()("connectors:read") ? (
    <KnownConnectors {...props} />
  ) : (
    <ConnectorChoice {...props} connectors={[]} />
  );

const KnownConnectors = (props: ConnectorMemberProps) => {
  const connectors = useLoadAll(useConnectors(props.agentId)).items;
  return (
    <ConnectorChoice
      {...props}
      connectors={connectors.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
};

type ConnectorChoiceProps = ConnectorMemberProps & {
  connectors: readonly { value: string; label: string }[];
};

const ConnectorChoice = ({ value, onChange, error, connectors }: ConnectorChoiceProps) => (
  <ChoiceMember
    label="Chat to notify"
    placeholder="None"
    nothingFound="No connector has this name"
    isClearable
    value={value}
    data={connectors}
    onChange={onChange}
    error={error}
  />
);
