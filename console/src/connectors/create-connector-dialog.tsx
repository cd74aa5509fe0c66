import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import type { Connector } from "../../../client/openapi.ts";
import { AgentSelect } from "../agent-queries/agent-select.tsx";
import { FormDialog } from "../shared/form-dialog.tsx";
import { fieldError } from "../shared/problem.ts";
import {
  ConnectorFields,
  type ConnectorTexts,
  connectorPointers,
  toConnectorBody,
} from "./connector-fields.tsx";
import { chatProviders } from "./providers.ts";
import { useCreateConnector } from "./use-connectors.ts";

type CreateConnectorDialogProps = {
  /** The agent that is chosen at first. */
  agent: string | undefined;
  /** Whether no other agent can be chosen. */
  isOfAgent: boolean;
  onCreated: (connector: Connector) => void;
  onClose: () => void;
};

const empty: ConnectorTexts = {
  name: "",
  policy: "RequireApproval",
  onBoardingMessage: "",
  isActive: true,
  parameters: {},
};

/** Creates a connector of an agent. */
export const CreateConnectorDialog = (props: CreateConnectorDialogProps) => {
  const [agent, setAgent] = useState(props.agent);
  const [isMissing, setIsMissing] = useState(false);
  const [provider, setProvider] = useState<Connector["provider"]>("slack");
  const [texts, setTexts] = useState(empty);
  const { mutate, error, isPending } = useCreateConnector();
  const submit = (): void => {
    setIsMissing(agent === undefined);
    if (agent === undefined) return;
    const body = {
      provider,
      ...toConnectorBody(texts),
      ...(texts.name !== "" && { name: texts.name }),
    };
    mutate({ agent, body }, { onSuccess: props.onCreated });
  };
  return (
    <FormDialog
      title="Create connector"
      action="Create"
      error={error}
      shownAt={["/provider", ...connectorPointers]}
      isPending={isPending}
      onSubmit={submit}
      onClose={props.onClose}
      size="lg"
    >
      {!props.isOfAgent && (
        <AgentSelect
          label="Agent"
          scope="agents:execute"
          agent={agent}
          onChange={setAgent}
          error={isMissing && agent === undefined ? "Choose the agent that replies." : undefined}
        />
      )}
      <NativeSelect
        label="Provider"
        value={provider}
        data={chatProviders.map(({ id, label }) => ({ value: id, label }))}
        onChange={({ currentTarget }) => {
          const chosen = chatProviders.find(({ id }) => id === currentTarget.value);
          if (chosen) setProvider(chosen.id);
          setTexts({ ...texts, parameters: {} });
        }}
        error={fieldError(error, "/provider")}
      />
      <ConnectorFields provider={provider} texts={texts} onChange={setTexts} error={error} />
    </FormDialog>
  );
};
