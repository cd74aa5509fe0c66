import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Approval } from "../../../client/openapi.ts";
import { useDecideApproval, usePendingApprovals } from "../approval-queries/use-approvals.ts";
import { FormFromSchema, type FormTexts, parseValues } from "../shared/form-from-schema.tsx";
import { fieldError, refusedAt } from "../shared/problem.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { ApprovalLinkButton } from "./approval-link.tsx";
import { ArgumentsField, readArguments } from "./arguments-field.tsx";

const shownAt = ["/fields", "/comment", "/arguments"];

/** Decides a pending approval; says so where the user may not. Shows the arguments of a tool. */
export const DecideForm = ({ approval }: { approval: Approval }) => {
  const { id, status, kind, executionId, fields, actions } = approval;
  const isPending = status === "Pending";
  const mine = usePendingApprovals(executionId, { isMine: true, isLive: isPending }).data;
  const [texts, setTexts] = useState<FormTexts>({});
  const [comment, setComment] = useState("");
  const [edited, setEdited] = useState<string>();
  const deciding = useDecideApproval(id);
  const { error } = deciding;
  // The problem stays after a refusal, even if the approval is no longer pending.
  const problem = <ProblemAlert error={error} shownAt={shownAt} />;
  const mayDecide = isPending && mine?.some((known) => known.id === id) === true;
  const replaced = readArguments(approval, edited);
  const decide = (action: string): void =>
    deciding.mutate({
      action,
      fields: parseValues(fields, texts),
      comment: comment.trim() === "" ? null : comment,
      ...(action !== "reject" && "value" in replaced && { arguments: replaced.value }),
    });
  return (
    <Stack>
      <ArgumentsField
        approval={approval}
        edited={mayDecide ? edited : undefined}
        onChange={mayDecide ? setEdited : undefined}
        error={"problem" in replaced ? replaced.problem : undefined}
        problems={refusedAt(error, "/arguments")}
      />
      {isPending && kind === "Authorization" && <Consent address={approval.authorizeUrl} />}
      {isPending && !mayDecide && mine && (
        <Text size="sm">
          You cannot decide this approval: you are not one of its approvers, you started the
          execution, or you have already decided.
        </Text>
      )}
      {mayDecide && fields.length > 0 && (
        <FormFromSchema
          fields={fields}
          texts={texts}
          onChange={setTexts}
          error={error}
          pointer="/fields"
        />
      )}
      {mayDecide && (
        <Textarea
          label="Comment"
          autosize
          minRows={2}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          error={fieldError(error, "/comment")}
        />
      )}
      {problem}
      {mayDecide && (
        <Group>
          {actions.map((action, at) => (
            <Button
              key={action.id}
              variant={at === 0 ? "filled" : "default"}
              disabled={deciding.isPending || ("problem" in replaced && action.id !== "reject")}
              onClick={() => decide(action.id)}
            >
              {action.label}
            </Button>
          ))}
          <ApprovalLinkButton approvalId={id} />
        </Group>
      )}
    </Stack>
  );
};

/** Shows the address at which a person gives the consent that a tool needs, to those who may see it. */
const Consent = ({ address }: { address: string | null }) =>
  address === null ? (
    <Text size="sm">
      The owner of the connection, or a user with the scope integrations:write, can give the
      consent.
    </Text>
  ) : (
    <Group>
      <Button component="a" href={address} target="_blank" rel="noopener noreferrer">
        Give consent
      </Button>
      <Text size="sm">
        The account that signs in there is connected. The execution then continues.
      </Text>
    </Group>
  );
