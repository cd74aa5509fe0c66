import { useState } from "react";
import type { Connector } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import {
  ConnectorFields,
  type ConnectorTexts,
  connectorPointers,
  toConnectorBody,
} from "./connector-fields.tsx";
import { useUpdateConnector } from "./use-connectors.ts";

type EditConnectorDialogProps = { connector: Connector; onClose: () => void };

/** Changes a connector. A masked credential that stays as it is keeps the stored one. */
export const EditConnectorDialog = ({ connector, onClose }: EditConnectorDialogProps) => {
  const [texts, setTexts] = useState<ConnectorTexts>({
    name: connector.name,
    policy: connector.policy,
    onBoardingMessage: connector.onBoardingMessage ?? "",
    isActive: connector.active,
    parameters: connector.parameters,
  });
  const { mutate, error, isPending } = useUpdateConnector(connector);
  const { parameters, ...rest } = toConnectorBody(texts);
  const isSame = texts.parameters === connector.parameters;
  const body = { ...rest, name: texts.name, ...(!isSame && parameters && { parameters }) };
  return (
    <FormDialog
      title={`Edit ${connector.name}`}
      action="Save"
      error={error}
      shownAt={connectorPointers}
      isPending={isPending}
      onSubmit={() => mutate(body, { onSuccess: onClose })}
      onClose={onClose}
      size="lg"
    >
      <ConnectorFields
        provider={connector.provider}
        texts={texts}
        onChange={setTexts}
        error={error}
      />
    </FormDialog>
  );
};
