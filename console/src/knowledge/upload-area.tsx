import { Alert, Button, FileButton, Group, List, Progress, Stack, Text } from "@mantine/core";
import { type DragEvent, useRef, useState } from "react";
import classes from "./upload-area.module.css";
import { isUnderWay, type Upload, type Uploads } from "./use-uploads.ts";

/** Takes files that are dropped or chosen, and shows what became of them. */
export const UploadArea = ({ uploads }: { uploads: Uploads }) => {
  const { files, add, clear } = uploads;
  const [isOver, setIsOver] = useState(false);
  const reset = useRef<() => void>(null);
  const choose = (chosen: File[]): void => {
    add(chosen);
    // The same file can be chosen again.
    reset.current?.();
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(true);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    add(listFiles(event.dataTransfer));
  };
  return (
    <Stack gap="sm">
      <section
        className={classes.area}
        aria-label="Upload files"
        data-over={isOver || undefined}
        onDragOver={over}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <Stack gap={4} align="center">
          <Group gap="xs" justify="center">
            <Text>Drop files here, or</Text>
            <FileButton
              multiple
              onChange={choose}
              resetRef={reset}
              inputProps={{ "aria-label": "Files" }}
            >
              {(props) => (
                <Button {...props} size="xs">
                  Choose files
                </Button>
              )}
            </FileButton>
          </Group>
          <Text size="sm" c="dimmed">
            Text, Markdown, HTML, CSV, JSON, PDF and DOCX, up to 64 MB each. A file of the same name
            is replaced.
          </Text>
        </Stack>
      </section>
      <div aria-live="polite">
        {files.length > 0 && <UploadProgress files={files} onClear={clear} />}
      </div>
    </Stack>
  );
};

/** A folder has no content of its own. */
const listFiles = ({ items, files }: DataTransfer): File[] => {
  const entries = [...items].filter(({ kind }) => kind === "file");
  return [...files].filter((_, at) => !entries[at]?.webkitGetAsEntry()?.isDirectory);
};

type UploadProgressProps = { files: readonly Upload[]; onClear: () => void };

const UploadProgress = ({ files, onClear }: UploadProgressProps) => {
  const left = files.filter(isUnderWay).length;
  const sent = files.filter(({ status }) => status === "Sent").length;
  const refused = files.filter(({ status }) => status === "Refused");
  const done = files.length - left;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {left > 0
            ? `Uploading: ${done} of ${files.length} files`
            : `${sent} of ${files.length} files uploaded`}
        </Text>
        {left === 0 && (
          <Button variant="subtle" size="compact-sm" onClick={onClear}>
            Clear
          </Button>
        )}
      </Group>
      {left > 0 && (
        <Progress value={(100 * done) / files.length} aria-label="Uploaded files" size="sm" />
      )}
      {refused.length > 0 && (
        <Alert color="red" variant="outline" title="Refused files" role="alert">
          <List size="sm">
            {refused.map(({ key, file, reason }) => (
              <List.Item key={key}>
                <strong>{file.name}</strong> {reason}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  );
};
