import { Anchor, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Asset, AssetDocument } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { EmptyState } from "../shared/empty-state.tsx";
import { formatBytes, formatCount } from "../shared/format.ts";
import { isWebLink } from "../shared/is-web-link.ts";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { uploadType } from "./source-types.ts";
import { documentKinds } from "./status.ts";
import { UploadArea } from "./upload-area.tsx";
import { useDeleteDocument, useDocuments } from "./use-documents.ts";
import type { Uploads } from "./use-uploads.ts";

const buildColumns = (isUpload: boolean): Column<AssetDocument>[] => [
  {
    header: "Document",
    cell: ({ name, link }) =>
      isWebLink(link) ? (
        <Anchor href={link} target="_blank" rel="noreferrer">
          {name}
        </Anchor>
      ) : (
        name
      ),
  },
  {
    header: "Status",
    isWide: true,
    cell: ({ status, error }) => (
      <>
        <StatusBadge status={status} kind={documentKinds[status]} />
        {error !== null && (
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {error}
          </Text>
        )}
      </>
    ),
  },
  ...(isUpload
    ? [
        {
          header: "Size",
          isNumber: true,
          cell: ({ size }: AssetDocument) => size !== null && formatBytes(size),
        },
      ]
    : []),
  { header: "Chunks", isNumber: true, cell: ({ chunkCount }) => formatCount(chunkCount) },
  { header: "Tokens", isNumber: true, cell: ({ tokens }) => formatCount(tokens) },
  { header: "Changed", isSecondary: true, cell: ({ modifiedAt }) => <Time value={modifiedAt} /> },
];

/** Lists the documents of an asset; files are uploaded and removed here. */
export const DocumentsTab = ({ asset, uploads }: { asset: Asset; uploads: Uploads }) => {
  const isUpload = asset.type === uploadType.key;
  const mayUpload = useMay()("assets:write") && isUpload;
  const list = useDocuments(asset);
  const [removed, setRemoved] = useState<AssetDocument>();
  const menu = (document: AssetDocument) => (
    <RowMenu
      name={document.name}
      actions={[{ label: "Remove", onClick: () => setRemoved(document), isDangerous: true }]}
    />
  );
  return (
    <Stack gap="md">
      {mayUpload && <UploadArea uploads={uploads} />}
      <ResourceTable
        label="Documents"
        list={list}
        getId={({ id }) => id}
        columns={buildColumns(isUpload)}
        actions={mayUpload ? menu : undefined}
        empty={<EmptyState title="No documents yet">{selectHint(asset)}</EmptyState>}
      />
      {removed && (
        <RemoveDialog asset={asset.id} document={removed} onClose={() => setRemoved(undefined)} />
      )}
    </Stack>
  );
};

const selectHint = ({ type, status }: Asset): string => {
  if (type === uploadType.key) {
    return "Upload files: they are indexed in seconds, then agents find them.";
  }
  return status === "Syncing"
    ? "The source is being read. Documents are listed as they are indexed."
    : "Sync the asset: its source is read, and documents are listed as they are indexed.";
};

type RemoveDialogProps = { asset: string; document: AssetDocument; onClose: () => void };

const RemoveDialog = ({ asset, document, onClose }: RemoveDialogProps) => {
  const { mutateAsync } = useDeleteDocument(asset);
  return (
    <ConfirmDialog
      title={`Remove ${document.name}?`}
      action="Remove"
      done={`Removed ${document.name}.`}
      isDangerous
      onConfirm={() => mutateAsync(document.id)}
      onClose={onClose}
    >
      <Text>Its file and its index are deleted; searches do not find it any more.</Text>
    </ConfirmDialog>
  );
};
