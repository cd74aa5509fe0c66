import { Button, Fieldset, Group, Stack, Textarea } from "@mantine/core";
import type { FormEvent, KeyboardEvent } from "react";
import { useUploading } from "../../shared/files/use-uploading.ts";
import { type FormField, FormFromSchema, type FormTexts } from "../../shared/form-from-schema.tsx";
import { fieldError } from "../../shared/problem.ts";
import { divideInputs } from "./chat-input.ts";

type ChatComposerProps = {
  fields: readonly FormField[];
  texts: FormTexts;
  onChange: (texts: FormTexts) => void;
  error: unknown;
  isBusy: boolean;
  onSend: () => void;
};

/** Fields of the next message, and of the other inputs, which are kept for further messages. */
export const ChatComposer = (props: ChatComposerProps) => {
  const { fields, texts, onChange, error, isBusy, onSend } = props;
  const { message, others } = divideInputs(fields);
  const { isUploading, report } = useUploading();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBusy && !isUploading) onSend();
  };
  const sendByEnter = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
  };
  const otherFields = others.length > 0 && (
    <FormFromSchema
      fields={others}
      texts={texts}
      onChange={onChange}
      error={error}
      pointer="/input"
      onUploading={report}
    />
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        {message ? (
          <>
            <Textarea
              label={message.displayName || message.name}
              description={message.description}
              placeholder={message.defaultValue ?? undefined}
              autosize
              minRows={2}
              maxRows={10}
              value={texts[message.name] ?? ""}
              onChange={({ currentTarget }) =>
                onChange({ ...texts, [message.name]: currentTarget.value })
              }
              onKeyDown={sendByEnter}
              error={fieldError(error, `/input/${message.name}`)}
            />
            {otherFields && (
              <Fieldset legend="Other inputs" p="sm">
                {otherFields}
              </Fieldset>
            )}
          </>
        ) : (
          otherFields
        )}
        <Group>
          <Button type="submit" disabled={isUploading} loading={isBusy}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
