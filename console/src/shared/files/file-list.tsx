import { Text } from "@mantine/core";
import classes from "./file-list.module.css";
import { StoredFile } from "./stored-file.tsx";
import type { StoredValue } from "./stored-value.ts";

const mostFiles = 20;

type FileListProps = { label: string; files: readonly StoredValue[] };

/** Lists stored files; nothing without files. */
export const FileList = ({ label, files }: FileListProps) => {
  if (files.length === 0) return null;
  return (
    <>
      <ul className={classes.list} aria-label={label}>
        {files.slice(0, mostFiles).map((file) => (
          <li key={file.id} className={classes.file}>
            <StoredFile file={file} />
          </li>
        ))}
      </ul>
      {files.length > mostFiles && (
        <Text size="sm" c="dimmed">
          {files.length - mostFiles} more files
        </Text>
      )}
    </>
  );
};
