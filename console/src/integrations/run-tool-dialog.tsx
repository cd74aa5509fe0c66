import { Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { IntegrationTool } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { FormFromSchema, type FormTexts } from "../shared/form-from-schema.tsx";
import { JsonView } from "../shared/json-view.tsx";
import { fieldError } from "../shared/problem.ts";
import { useRunTool } from "./use-integrations.ts";

type RunToolDialogProps = {
  tool: IntegrationTool;
  configId: string | undefined;
  onClose: () => void;
};

/** Runs a tool, and shows its result. */
export const RunToolDialog = ({ tool, configId, onClose }: RunToolDialogProps) => {
  const [texts, setTexts] = useState<FormTexts>({});
  const [resultSelect, setResultSelect] = useState("");
  const { mutate, data, error, isPending } = useRunTool(tool.integrationId, tool.id);
  const fields = tool.parametersMetadata;
  const body = {
    // All values are strings, regardless of type.
    parameters: Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "")),
    ...(configId !== undefined && { configId }),
    ...(resultSelect !== "" && { resultSelect }),
  };
  return (
    <FormDialog
      title={`Run ${tool.displayName}`}
      action="Run"
      size="lg"
      error={error}
      shownAt={["/resultSelect", ...fields.map(({ name }) => `/parameters/${name}`)]}
      isPending={isPending}
      onSubmit={() => mutate(body)}
      onClose={onClose}
    >
      <FormFromSchema
        fields={fields}
        texts={texts}
        onChange={setTexts}
        error={error}
        pointer="/parameters"
      />
      <TextInput
        label="Select from the result"
        description="A JSONata expression, such as items[0].name. If empty, the whole result."
        ff="monospace"
        value={resultSelect}
        onChange={({ currentTarget }) => setResultSelect(currentTarget.value)}
        error={fieldError(error, "/resultSelect")}
      />
      <Stack aria-live="polite">
        {data && !error && !isPending && (
          <JsonView
            label="Result"
            value={data.resultType === "Json" ? data.jsonValue : data.response}
          />
        )}
      </Stack>
    </FormDialog>
  );
};
