import { Alert, Anchor, Button, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTenant } from "../../session/tenant.ts";
import { Time } from "../../shared/time.tsx";
import type { KeptDrafts } from "./use-drafts.ts";

type DraftOfferProps = { agent: string; drafts: KeptDrafts };

/** Offers unsaved changes that were left earlier, here or at another revision. */
export const DraftOffer = ({ agent, drafts }: DraftOfferProps) => {
  const tenant = useTenant();
  const { savedAt, otherRevision, restore, discard } = drafts;
  if (savedAt !== undefined) {
    return (
      <Alert variant="outline" role="status" p="xs">
        <Group justify="space-between">
          <Text size="sm">
            You have unsaved changes from <Time value={savedAt} isExact />. Secrets that you typed
            were not kept.
          </Text>
          <Group gap="xs">
            <Button size="compact-sm" onClick={restore}>
              Restore
            </Button>
            <Button size="compact-sm" variant="default" onClick={discard}>
              Discard
            </Button>
          </Group>
        </Group>
      </Alert>
    );
  }
  if (otherRevision === undefined || otherRevision === 0) return null;
  return (
    <Text size="sm" role="status">
      You have unsaved changes of{" "}
      <Anchor
        component={Link}
        underline="always"
        to={`/t/${encodeURIComponent(tenant)}/agents/${encodeURIComponent(agent)}/flow?revision=${otherRevision}`}
      >
        revision {otherRevision}
      </Anchor>
      .
    </Text>
  );
};
