import { Alert, Progress, Stack, Text } from "@mantine/core";
import type { Asset } from "../../../client/openapi.ts";
import { formatCount } from "../shared/format.ts";

/** Shows how far a synchronization is, and what the last one did or why it failed. */
export const SyncReport = ({ asset }: { asset: Asset }) => {
  const { status, error, documentCount, progress } = asset;
  const { documentsSeen, documentsIndexed, documentsRemoved, tokens } = progress;
  const isSyncing = status === "Syncing";
  const hasStarted = documentsSeen + documentsIndexed + documentsRemoved > 0;
  const counts = [
    `${formatCount(documentsSeen)} ${documentsSeen === 1 ? "document" : "documents"} read`,
    `${formatCount(documentsIndexed)} indexed`,
    `${formatCount(documentsRemoved)} removed`,
    `${formatCount(tokens)} tokens embedded`,
  ].join(", ");
  return (
    <>
      {status === "Failed" && (
        <Alert color="red" variant="outline" title="The last sync failed">
          <Text size="sm">{error ?? "The source gave no reason."}</Text>
          {documentCount > 0 && (
            <Text size="sm">Nothing was removed: agents search the earlier index.</Text>
          )}
        </Alert>
      )}
      {isSyncing && (
        <Stack gap={4}>
          <Progress value={100} animated size="sm" aria-label="Sync" />
          <Text size="sm">
            {hasStarted ? `Syncing: ${counts}.` : "Syncing: no documents read yet."}
          </Text>
        </Stack>
      )}
      {!isSyncing && hasStarted && (
        <Text size="sm" c="dimmed">
          Last sync: {counts}.
        </Text>
      )}
    </>
  );
};
