import { Autocomplete, NativeSelect } from "@mantine/core";
import type { LlmProvider } from "../../../client/openapi.ts";
import { useProviders } from "../models/use-providers.ts";
import { useMay } from "../session/permissions.ts";
import { fieldError } from "../shared/problem.ts";
import { useLoadAll } from "../shared/use-load-all.ts";

type Embedding = { providerId: string; model: string };

type EmbeddingFieldsProps = {
  embedding: Embedding;
  onChange: (embedding: Embedding) => void;
  error: unknown;
  /** Whether another model embeds all documents again. */
  isNew: boolean;
};

type ProviderType = LlmProvider["type"];

/** Models to choose; any other can be typed. Types without models are not offered. */
const models: Readonly<Record<ProviderType, readonly string[] | undefined>> = {
  echo: ["echo-1"],
  openai: ["text-embedding-3-small", "text-embedding-3-large"],
  google: ["gemini-embedding-001"],
  bedrock: ["amazon.titan-embed-text-v2:0", "cohere.embed-multilingual-v3"],
  "openai-compatible": [],
  anthropic: undefined,
};

/** Chooses the model that embeds the texts of an asset. */
export const EmbeddingFields = (props: EmbeddingFieldsProps) => {
  const mayRead = useMay()("llm_providers:read");
  return mayRead ? <ProviderAndModel {...props} /> : null;
};

const ProviderAndModel = ({ embedding, onChange, error, isNew }: EmbeddingFieldsProps) => {
  const { items } = useLoadAll(useProviders());
  const offered = items.filter(({ type }) => models[type] !== undefined);
  const chosen = offered.find(({ id }) => id === embedding.providerId);
  const options = [
    ...offered.map(({ id, displayName }) => ({ value: id, label: displayName })),
    ...(chosen ? [] : [{ value: embedding.providerId, label: embedding.providerId }]),
  ];
  const chooseProvider = (providerId: string): void => {
    const type = offered.find(({ id }) => id === providerId)?.type;
    onChange({ providerId, model: (type && models[type]?.[0]) ?? "" });
  };
  return (
    <>
      <NativeSelect
        label="Embedding provider"
        description={
          isNew
            ? "Its model turns texts into vectors. Echo is built in and free; it compares words."
            : "If you change the model, the next sync embeds all documents again."
        }
        data={options}
        value={embedding.providerId}
        onChange={({ currentTarget }) => chooseProvider(currentTarget.value)}
        error={fieldError(error, "/embedding/providerId")}
      />
      <Autocomplete
        label="Embedding model"
        data={[...(models[chosen?.type ?? "echo"] ?? [])]}
        value={embedding.model}
        onChange={(model) => onChange({ ...embedding, model })}
        error={fieldError(error, "/embedding/model")}
      />
    </>
  );
};
