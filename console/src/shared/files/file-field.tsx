import {
  Button,
  FileButton,
  Group,
  Input,
  Loader,
  Progress,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { type DragEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useMay } from "../../session/permissions.ts";
import classes from "./file-field.module.css";
import listClasses from "./file-list.module.css";
import { type AcceptedFiles, describeAccepted } from "./find-refusal.ts";
import { type InputFile, readFormFiles, writeFormFiles } from "./input-files.ts";
import { StoredFile } from "./stored-file.tsx";
import { type AddedFile, useFileUploads } from "./use-file-uploads.ts";
import type { ReportUploading } from "./use-uploading.ts";

type FileFieldProps = {
  name: string;
  label: string;
  description: string;
  isRequired: boolean;
  accepted: AcceptedFiles;
  /** The files as the form keeps them. */
  text: string;
  onChange: (text: string) => void;
  onUploading: ReportUploading | undefined;
  error: string | undefined;
};

/** Chooses the files of an input: files of this computer, which are uploaded, addresses and stored files. */
export const FileField = (props: FileFieldProps) => {
  const { name, label, description, isRequired, accepted } = props;
  const { text, onChange, onUploading, error } = props;
  const mayUpload = useMay()("agents:execute");
  const id = useId();
  const files = readFormFiles(text);
  const uploads = useFileUploads({
    accepted,
    files,
    onChange: (next) => onChange(writeFormFiles(next)),
  });
  const isUploading = uploads.added.some(({ reason }) => reason === undefined);
  useEffect(() => {
    if (!isUploading || !onUploading) return;
    onUploading(name, true);
    return () => onUploading(name, false);
  }, [isUploading, onUploading, name]);
  return (
    <Input.Wrapper
      id={id}
      label={label}
      labelElement="div"
      withAsterisk={isRequired}
      description={[description, describeAccepted(accepted)].filter(Boolean).join(" · ")}
      error={error}
    >
      <Stack gap="xs" mt={4} role="group" aria-label={label} aria-describedby={`${id}-description`}>
        {files.length > 0 && (
          <ul className={listClasses.list} aria-label={`Files of ${label}`}>
            {files.map(({ file }, at) => (
              <li key={`${at} ${nameFile(file)}`} className={listClasses.file}>
                <ChosenFile
                  file={file}
                  onRemove={() =>
                    onChange(writeFormFiles(files.filter((_file, index) => index !== at)))
                  }
                />
              </li>
            ))}
          </ul>
        )}
        <div aria-live="polite">
          {uploads.added.map((file) => (
            <AddedRow key={file.key} file={file} onForget={() => uploads.forget(file.key)} />
          ))}
        </div>
        {mayUpload && <DropArea label={label} accepted={accepted} onChoose={uploads.addFiles} />}
        <ReferenceField label={label} onAdd={uploads.addReference} />
      </Stack>
    </Input.Wrapper>
  );
};

const nameFile = (file: InputFile): string => {
  if ("id" in file) return file.id;
  if ("url" in file) return file.url;
  return "fileId" in file ? file.fileId : file.name;
};

type ChosenFileProps = { file: InputFile; onRemove: () => void };

const ChosenFile = ({ file, onRemove }: ChosenFileProps) => {
  const name = "id" in file ? file.name : nameFile(file);
  const remove = <RemoveButton name={name} onClick={onRemove} />;
  if ("id" in file) return <StoredFile file={file}>{remove}</StoredFile>;
  return (
    <Group gap="xs">
      <Text size="sm">{name}</Text>
      {remove}
    </Group>
  );
};

const RemoveButton = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <Button variant="default" size="compact-xs" aria-label={`Remove ${name}`} onClick={onClick}>
    Remove
  </Button>
);

/** A file that is being uploaded, or was refused. */
const AddedRow = ({ file, onForget }: { file: AddedFile; onForget: () => void }) => {
  const { name, percent, reason } = file;
  const remove = <RemoveButton name={name} onClick={onForget} />;
  if (reason !== undefined) {
    return (
      <Group gap="xs" role="alert">
        <Text size="sm" c="red" style={{ overflowWrap: "anywhere" }}>
          <strong>{name}</strong> {reason}
        </Text>
        {remove}
      </Group>
    );
  }
  return (
    <>
      <Group gap="xs">
        {percent === undefined && <Loader size="xs" aria-hidden />}
        <Text size="sm">Adding {name}…</Text>
        {remove}
      </Group>
      {percent !== undefined && (
        <Progress value={percent} size="sm" aria-label={`Progress of ${name}`} />
      )}
    </>
  );
};

type DropAreaProps = {
  label: string;
  accepted: AcceptedFiles;
  onChoose: (files: readonly File[]) => void;
};

/** Takes files that are dropped or chosen. */
const DropArea = ({ label, accepted, onChoose }: DropAreaProps) => {
  const { accept, multiple } = accepted;
  const [isOver, setIsOver] = useState(false);
  const reset = useRef<() => void>(null);
  const choose = (chosen: File | File[] | null): void => {
    if (chosen) onChoose([chosen].flat());
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
    const entries = [...event.dataTransfer.items].filter(({ kind }) => kind === "file");
    const isFolder = (at: number) => entries[at]?.webkitGetAsEntry()?.isDirectory === true;
    onChoose([...event.dataTransfer.files].filter((_file, at) => !isFolder(at)));
  };
  return (
    <section
      className={classes.area}
      aria-label={`Upload for ${label}`}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Text size="sm">Drop {multiple ? "files" : "a file"} here, or</Text>
      <FileButton
        multiple={multiple === true}
        {...(accept?.length && { accept: accept.join(",") })}
        onChange={choose}
        resetRef={reset}
        inputProps={{ "aria-label": label }}
      >
        {(props) => {
          const words = multiple ? "Choose files" : "Choose a file";
          return (
            <Button {...props} variant="default" size="xs" aria-label={`${words} for ${label}`}>
              {words}
            </Button>
          );
        }}
      </FileButton>
    </section>
  );
};

type ReferenceFieldProps = { label: string; onAdd: (text: string) => boolean };

/** Adds the file at an address, or a stored file by its id. */
const ReferenceField = ({ label, onAdd }: ReferenceFieldProps) => {
  const [text, setText] = useState("");
  const [isRefused, setIsRefused] = useState(false);
  const add = (): void => {
    const trimmed = text.trim();
    const isAdded = trimmed === "" || onAdd(trimmed);
    setIsRefused(!isAdded);
    if (isAdded) setText("");
  };
  const addByEnter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    // The form is not sent.
    event.preventDefault();
    add();
  };
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <TextInput
        aria-label={`URL or ID for ${label}`}
        placeholder="https://… or the ID of a file"
        size="xs"
        flex={1}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={addByEnter}
        onBlur={add}
        error={isRefused && "Enter a URL that starts with https://, or the ID of a stored file."}
      />
      <Button variant="default" size="xs" aria-label={`Add to ${label}`} onClick={add}>
        Add
      </Button>
    </Group>
  );
};
