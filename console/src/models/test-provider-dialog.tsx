import { Stack, Table, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { LlmProvider, LlmProviderTest } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { formatCount, formatDuration, formatKnownCost } from "../shared/format.ts";
import { JsonView } from "../shared/json-view.tsx";
import { fieldError } from "../shared/problem.ts";
import { ModelField } from "./model-field.tsx";
import { useTestProvider } from "./use-providers.ts";

type TestProviderDialogProps = { provider: LlmProvider; onClose: () => void };

/** Sends a prompt to a model, and shows its response, tokens, cost and time. */
export const TestProviderDialog = ({ provider, onClose }: TestProviderDialogProps) => {
  const [model, setModel] = useState(provider.defaultModel ?? "");
  const [prompt, setPrompt] = useState("Say hello.");
  const { mutate, data, error, isPending } = useTestProvider(provider.id);
  const body = { model: model === "" ? null : model, prompt: prompt === "" ? null : prompt };
  return (
    <FormDialog
      title={`Test ${provider.displayName}`}
      action="Send prompt"
      size="lg"
      error={error}
      shownAt={["/model", "/prompt"]}
      isPending={isPending}
      onSubmit={() => mutate(body)}
      onClose={onClose}
    >
      <ModelField
        label="Model"
        providerId={provider.id}
        value={model}
        onChange={setModel}
        error={fieldError(error, "/model")}
      />
      <Textarea
        label="Prompt"
        autosize
        minRows={2}
        data-autofocus
        value={prompt}
        onChange={({ currentTarget }) => setPrompt(currentTarget.value)}
        error={fieldError(error, "/prompt")}
      />
      <div aria-live="polite">{data && !error && !isPending && <Result result={data} />}</div>
    </FormDialog>
  );
};

const Result = ({ result }: { result: LlmProviderTest }) => {
  const { modelId, text, usage, totalCost, priced, latencyMs } = result;
  const rows = [
    ["Responded", `${modelId} in ${formatDuration(latencyMs)}`],
    ["Input tokens", formatCount(usage.inputTokens)],
    ["Output tokens", formatCount(usage.outputTokens)],
    ["Cached tokens", formatCount(usage.cachedTokens)],
    ["Thinking tokens", formatCount(usage.thinkingTokens)],
    ["Cost", formatKnownCost(totalCost, priced)],
  ];
  return (
    <Stack gap="sm">
      <JsonView label="Response" value={text} />
      <Table aria-label="Result">
        <Table.Tbody>
          {rows.map(([label, value]) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" fw={500}>
                {label}
              </Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {!priced && (
        <Text size="sm" c="dimmed">
          The price list does not have this model, so its cost counts as 0. A deployment sets prices
          with MODEL_PRICES.
        </Text>
      )}
    </Stack>
  );
};
