import { NativeSelect, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { FeedbackLink } from "../../../../client/openapi.ts";
import { FormDialog } from "../../shared/form-dialog.tsx";
import { JsonView } from "../../shared/json-view.tsx";
import { fieldError } from "../../shared/problem.ts";
import { SecretField } from "../../shared/secret-field.tsx";
import { ShownOnceDialog } from "../../shared/shown-once-dialog.tsx";
import { Time } from "../../shared/time.tsx";
import { type ScoredExecution, useCreateFeedbackLink } from "./use-scores.ts";

type FeedbackLinkDialogProps = { place: ScoredExecution; onClose: () => void };

const expiries = [
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "1 day" },
  { value: "604800", label: "7 days" },
  { value: "2592000", label: "30 days" },
  { value: "7776000", label: "90 days" },
];

const namesIn = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** Creates an address that accepts one score of an execution without credentials, and shows it once. */
export const FeedbackLinkDialog = ({ place, onClose }: FeedbackLinkDialogProps) => {
  const [names, setNames] = useState("");
  const [expiresIn, setExpiresIn] = useState("604800");
  const { mutate, data: link, error, isPending } = useCreateFeedbackLink(place);
  if (link) return <CreatedLinkDialog link={link} onClose={onClose} />;
  return (
    <FormDialog
      title="Create feedback link"
      action="Create"
      error={error}
      shownAt={["/names", "/expiresInSeconds"]}
      isPending={isPending}
      onSubmit={() => mutate({ names: namesIn(names), expiresInSeconds: Number(expiresIn) })}
      onClose={onClose}
    >
      <Text size="sm">
        Anyone with the link can give one score, without signing in and without seeing the
        execution.
      </Text>
      <TextInput
        label="Names"
        description="Names of scores, separated by commas, such as helpful, polite."
        data-autofocus
        value={names}
        onChange={({ currentTarget }) => setNames(currentTarget.value)}
        error={fieldError(error, "/names")}
      />
      <NativeSelect
        label="Expires"
        description="The link also expires after one use."
        data={expiries}
        value={expiresIn}
        onChange={({ currentTarget }) => setExpiresIn(currentTarget.value)}
        error={fieldError(error, "/expiresInSeconds")}
      />
    </FormDialog>
  );
};

type CreatedLinkDialogProps = { link: FeedbackLink; onClose: () => void };

const CreatedLinkDialog = ({ link, onClose }: CreatedLinkDialogProps) => {
  const { url, names, expiresAt } = link;
  const body = JSON.stringify({ ...(names.length > 1 && { name: names[0] }), value: true });
  const quoted = body.replaceAll("'", "'\\''");
  return (
    <ShownOnceDialog title="Link created" onClose={onClose}>
      <Text>
        Copy it now: it is never shown again. It accepts one score until{" "}
        <Time value={expiresAt} isExact />.
      </Text>
      <SecretField label="Feedback link" value={url ?? ""} />
      <JsonView
        label="Request"
        value={`curl -X POST '${url}' \\\n  -H 'Content-Type: application/json' -d '${quoted}'`}
      />
    </ShownOnceDialog>
  );
};
