import { Button, FileButton, Group, Textarea, TextInput } from "@mantine/core";
import { type DragEvent, useState } from "react";
import type { SkillDraft } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { fieldError } from "../shared/problem.ts";
import { useDraftSkill } from "./use-skills.ts";

type MarkdownDialogProps = {
  onDraft: (draft: SkillDraft) => void;
  /** Starts with empty fields. */
  onSkip: () => void;
  onClose: () => void;
};

/** Drafts a skill from a markdown file that is pasted, dropped or chosen. */
export const MarkdownDialog = ({ onDraft, onSkip, onClose }: MarkdownDialogProps) => {
  const [markdownContent, setContent] = useState("");
  const [fileName, setFileName] = useState("SKILL.md");
  const { mutate, error, isPending } = useDraftSkill();
  const read = async (file: File | null | undefined): Promise<void> => {
    if (!file) return;
    const text = await file.text();
    setContent(text);
    setFileName(file.name);
    mutate({ markdownContent: text, fileName: file.name }, { onSuccess: onDraft });
  };
  const drop = (event: DragEvent): void => {
    const file = event.dataTransfer.files[0];
    if (!file) return;
    event.preventDefault();
    void read(file);
  };
  return (
    <FormDialog
      title="Create skill"
      action="Continue"
      size="lg"
      error={error}
      shownAt={["/markdownContent", "/fileName"]}
      isPending={isPending}
      onSubmit={() => mutate({ markdownContent, fileName }, { onSuccess: onDraft })}
      onClose={onClose}
    >
      <Textarea
        label="Markdown"
        description="Paste or drop a SKILL.md, or any markdown. You can edit the draft before the skill is created."
        data-autofocus
        autosize
        minRows={10}
        maxRows={18}
        ff="monospace"
        value={markdownContent}
        onChange={({ currentTarget }) => setContent(currentTarget.value)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
        error={fieldError(error, "/markdownContent")}
      />
      <TextInput
        label="File"
        description="With its folder, if the skill is named after it: pdf-forms/SKILL.md"
        value={fileName}
        onChange={({ currentTarget }) => setFileName(currentTarget.value)}
        error={fieldError(error, "/fileName")}
      />
      <Group gap="xs">
        <FileButton onChange={(file) => void read(file)} accept=".md,.markdown,text/markdown">
          {(props) => (
            <Button {...props} variant="default" size="xs">
              Choose file
            </Button>
          )}
        </FileButton>
        <Button variant="subtle" size="xs" onClick={onSkip}>
          Start without a file
        </Button>
      </Group>
    </FormDialog>
  );
};
