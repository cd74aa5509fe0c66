import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useRef } from "react";

type LeaveGuardProps = {
  hasChanges: boolean;
  /** Whether a navigation shows the revision that was just saved. */
  isOwn: (to: { pathname: string; revision: number | undefined }) => boolean;
  /** Saves the changes; undefined while they cannot be saved. */
  onSave: (() => void) | undefined;
};

/** Asks before a page with unsaved changes is left. A draft of them stays in the browser. */
export const LeaveGuard = ({ hasChanges, isOwn, onSave }: LeaveGuardProps) => {
  const isOwnNow = useRef(isOwn);
  isOwnNow.current = isOwn;
  const { status, proceed, reset } = useBlocker({
    disabled: !hasChanges,
    enableBeforeUnload: hasChanges,
    withResolver: true,
    shouldBlockFn: ({ current, next }) => {
      const [revision, before] = [readRevision(next.search), readRevision(current.search)];
      const isSame = next.pathname === current.pathname && revision === before;
      return !isSame && !isOwnNow.current({ pathname: next.pathname, revision });
    },
  });
  if (status !== "blocked") return null;
  return (
    <Modal opened onClose={reset} title="Leave without saving?">
      <Stack>
        <Text>
          Your changes are not saved as a revision. This browser keeps them as a draft until you
          sign out.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={reset} data-autofocus>
            Stay
          </Button>
          {onSave && (
            <Button
              variant="default"
              onClick={() => {
                reset();
                onSave();
              }}
            >
              Save and stay
            </Button>
          )}
          <Button onClick={proceed}>Leave</Button>
        </Group>
      </Stack>
    </Modal>
  );
};

/** Returns the revision of an address; its query has texts. */
const readRevision = (search: object): number | undefined =>
  "revision" in search ? Number(search.revision) : undefined;
