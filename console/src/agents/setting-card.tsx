import { Button, Group, Paper, Skeleton, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";

type SettingCardProps<Setting> = {
  /** Title of the card; the buttons are named by it. */
  title: string;
  /** The agent's setting: null for none, undefined until it is read. */
  setting: Setting | null | undefined;
  error: unknown;
  mayWrite: boolean;
  /** Text for an agent without the setting. */
  none: string;
  show: (setting: Setting) => ReactNode;
  /** The dialog that sets or changes it. */
  dialog: (onClose: () => void) => ReactNode;
  /** Text of the dialog that removes it. */
  removal: string;
  onRemove: () => Promise<unknown>;
};

const small = { size: "compact-sm", variant: "default" } as const;

/** Shows something that an agent may have or not; sets, changes and removes it. */
export const SettingCard = <Setting,>(props: SettingCardProps<Setting>) => {
  const { title, setting, error, mayWrite, none, show, dialog, removal, onRemove } = props;
  const [open, setOpen] = useState<"edit" | "remove">();
  const close = (): void => setOpen(undefined);
  const name = title.toLowerCase();
  if (setting === undefined) {
    return error ? (
      <ReadProblem error={error} />
    ) : (
      <Skeleton height={120} role="status" aria-label="Loading" />
    );
  }
  return (
    <Paper component="section" aria-label={title} withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {mayWrite && (
          <Group gap="xs">
            {setting === null ? (
              <Button {...small} onClick={() => setOpen("edit")}>
                Set {name}
              </Button>
            ) : (
              <>
                <Button {...small} aria-label={`Edit ${name}`} onClick={() => setOpen("edit")}>
                  Edit
                </Button>
                <Button {...small} aria-label={`Remove ${name}`} onClick={() => setOpen("remove")}>
                  Remove
                </Button>
              </>
            )}
          </Group>
        )}
      </Group>
      <ReadProblem error={error} />
      {setting === null ? <Text c="dimmed">{none}</Text> : show(setting)}
      {open === "edit" && dialog(close)}
      {open === "remove" && (
        <ConfirmDialog
          title={`Remove the ${name}?`}
          action="Remove"
          done={`Removed the ${name}.`}
          isDangerous
          onConfirm={onRemove}
          onClose={close}
        >
          <Text>{removal}</Text>
        </ConfirmDialog>
      )}
    </Paper>
  );
};
