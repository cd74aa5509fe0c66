import { Button, Code } from "@mantine/core";
import { useState } from "react";
import type { LlmProvider } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { isEmptyList } from "../shared/is-empty-list.ts";
import { Page } from "../shared/page.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { type RowAction, RowMenu } from "../shared/row-menu.tsx";
import { Time } from "../shared/time.tsx";
import { DeleteProviderDialog } from "./delete-provider-dialog.tsx";
import { typeNames } from "./provider-form.ts";
import { ProviderFormDialog } from "./provider-form-dialog.tsx";
import { TestProviderDialog } from "./test-provider-dialog.tsx";
import { useProviders } from "./use-providers.ts";

/** The dialog that is open. */
type Open = { type: "create" } | { type: "test" | "edit" | "delete"; provider: LlmProvider };

const columns: readonly Column<LlmProvider>[] = [
  { header: "Name", cell: ({ displayName }) => displayName },
  { header: "ID", cell: ({ id }) => <Code>{id}</Code> },
  { header: "Type", cell: ({ type }) => typeNames[type], isSecondary: true },
  {
    header: "Default model",
    cell: ({ defaultModel }) => (defaultModel === null ? "none" : <Code>{defaultModel}</Code>),
  },
  {
    header: "Address",
    isSecondary: true,
    isWide: true,
    cell: ({ type, baseUrl, region }) =>
      baseUrl ?? region ?? (type === "echo" ? "Built in" : "default"),
  },
  {
    header: "Changed",
    isSecondary: true,
    cell: ({ type, modifiedAt }) => <Time value={type === "echo" ? null : modifiedAt} />,
  },
];

/** Lists, creates, changes, tests and deletes providers of language models. */
export const ModelsPage = () => {
  const may = useMay();
  const mayWrite = may("llm_providers:write");
  const mayTest = may("llm_providers:test");
  const list = useProviders();
  const [open, setOpen] = useState<Open>();
  const buildActions = (provider: LlmProvider): RowAction[] => {
    const on = (type: "test" | "edit" | "delete") => () => setOpen({ type, provider });
    const isBuiltIn = provider.type === "echo";
    return [
      ...(mayTest ? [{ label: "Test", onClick: on("test") }] : []),
      ...(mayWrite && !isBuiltIn
        ? [
            { label: "Edit", onClick: on("edit") },
            { label: "Delete", onClick: on("delete"), isDangerous: true },
          ]
        : []),
    ];
  };
  const create = mayWrite && (
    <Button onClick={() => setOpen({ type: "create" })}>Create provider</Button>
  );
  return (
    <Page
      title="Models"
      description="Providers of language models. A step uses a provider and one of its models. Echo needs no account."
      actions={!isEmptyList(list) && create}
    >
      <ResourceTable
        label="Providers"
        list={list}
        getId={({ id }) => id}
        columns={columns}
        actions={
          mayTest || mayWrite
            ? (provider) => <RowMenu name={provider.displayName} actions={buildActions(provider)} />
            : undefined
        }
        empty={
          <EmptyState title="No providers" docs="models" action={create}>
            Create a provider with your account’s API key, then send it a test prompt.
          </EmptyState>
        }
      />
      <ProviderDialog open={open} onClose={() => setOpen(undefined)} />
    </Page>
  );
};

type ProviderDialogProps = { open: Open | undefined; onClose: () => void };

const ProviderDialog = ({ open, onClose }: ProviderDialogProps) => {
  switch (open?.type) {
    case "create":
      return <ProviderFormDialog onClose={onClose} />;
    case "test":
      return <TestProviderDialog provider={open.provider} onClose={onClose} />;
    case "edit":
      return <ProviderFormDialog provider={open.provider} onClose={onClose} />;
    case "delete":
      return <DeleteProviderDialog provider={open.provider} onClose={onClose} />;
    default:
      return null;
  }
};
