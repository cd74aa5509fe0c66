import { Button, Group, Modal, type ModalProps, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import classes from "./form-dialog.module.css";
import { ProblemAlert } from "./problem-alert.tsx";

type FormDialogProps = {
  title: string;
  /** The fields. */
  children: ReactNode;
  /** Label of the button that sends the form. */
  action: string;
  error: unknown;
  /** Pointers that the fields show. */
  shownAt: readonly string[];
  isPending: boolean;
  /** False while something is read that the form needs: it cannot be sent. */
  isReady?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  size?: ModalProps["size"];
};

/**
 * A form in a dialog. It stays open until the form is accepted, and a click outside does not lose
 * the input.
 */
export const FormDialog = (props: FormDialogProps) => {
  const { title, children, action, error, shownAt, isPending, isReady = true } = props;
  const { onSubmit, onClose, size } = props;
  const problem = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) problem.current?.scrollIntoView({ block: "end" });
  }, [error]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Modal opened onClose={onClose} title={title} size={size ?? "md"} closeOnClickOutside={false}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {children}
          <div ref={problem} className={classes.problem} hidden={!error}>
            <ProblemAlert error={error} shownAt={shownAt} />
          </div>
          <Group justify="flex-end" className={classes.buttons ?? ""}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending} disabled={!isReady}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
