import { Button, Group, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { formatBytes } from "../format.ts";
import { isNotFound } from "../problem.ts";
import classes from "./file-list.module.css";
import type { StoredValue } from "./stored-value.ts";
import {
  goneText,
  useDownload,
  useFileAddress,
  useMayReadFiles,
  useStoredFile,
} from "./use-stored-file.ts";

type StoredFileProps = { file: StoredValue; children?: ReactNode };

/** Bytes of the largest image that is shown without a request for it. */
const largestPreview = 10 * 1_024 * 1_024;

/** Shows a stored file: its name and size, its image if it is one, and a button to download it. */
export const StoredFile = ({ file, children }: StoredFileProps) => {
  const { id, name, mediaType, bytes } = file;
  const mayRead = useMayReadFiles();
  const { isSuccess, error } = useStoredFile(id);
  const download = useDownload(id);
  const isShown = isSuccess && mediaType.startsWith("image/") && bytes <= largestPreview;
  const { data: address } = useFileAddress(id, isShown);
  const [isBroken, setIsBroken] = useState(false);
  const isGone = isNotFound(error);
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {formatBytes(bytes)}, {mediaType}
        </Text>
        {mayRead && !isGone && (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Download ${name}`}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            Download
          </Button>
        )}
        {children}
      </Group>
      {isGone && (
        <Text size="xs" c="dimmed">
          {goneText}
        </Text>
      )}
      {isShown && address !== undefined && !isBroken && (
        <img
          className={classes.image}
          src={address}
          alt={name}
          loading="lazy"
          onError={() => setIsBroken(true)}
        />
      )}
    </>
  );
};
