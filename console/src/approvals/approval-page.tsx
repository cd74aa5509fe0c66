import { Anchor, Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Approval } from "../../../client/openapi.ts";
import { approvalKinds } from "../approval-queries/status.ts";
import { useApproval, useDecideApproval } from "../approval-queries/use-approvals.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { Facts } from "../shared/facts.tsx";
import { FormFromSchema, type FormTexts, parseValues } from "../shared/form-from-schema.tsx";
import { JsonView } from "../shared/json-view.tsx";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { fieldError } from "../shared/problem.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";

const route = getRouteApi("/t/$tenant/approvals/$approval");

/** Shows an approval, and decides a pending one. */
export const DecideApprovalPage = () => {
  const { tenant, approval: id } = route.useParams();
  const { data: approval, error } = useApproval(id);
  if (error) return <ProblemAlert error={error} />;
  if (!approval) return <PageLoader />;
  const { message, data, toolId } = approval;
  return (
    <Page
      title={approval.title}
      back={`/t/${tenant}/approvals`}
      description={<ApprovalFacts approval={approval} />}
    >
      <Stack maw={800}>
        {message !== null && <Text style={{ whiteSpace: "pre-wrap" }}>{message}</Text>}
        {data !== null && data !== undefined && <JsonView label="Data" value={data} />}
        {toolId !== null && (
          <>
            <Text>Tool: {toolId}</Text>
            <JsonView label="Arguments" value={approval.arguments} />
          </>
        )}
        <Text size="sm">Approvers: {listApprovers(approval)}</Text>
        <Decisions approval={approval} />
        <DecideForm key={id} approval={approval} />
      </Stack>
    </Page>
  );
};

const ApprovalFacts = ({ approval }: { approval: Approval }) => {
  const tenant = useTenant();
  const { status, agentId, executionId, kind, createdAt, expiresAt } = approval;
  return (
    <Facts>
      <StatusBadge status={status} kind={approvalKinds[status]} />
      <span>{kind}</span>
      <span>
        requested <Time value={createdAt} />
      </span>
      <span>
        expires <Time value={expiresAt} />
      </span>
      <Anchor component={Link} to={`/t/${tenant}/executions/${agentId}/${executionId}`}>
        Execution of {agentId}
      </Anchor>
    </Facts>
  );
};

const listApprovers = ({ approvers, minApprovals }: Approval): string => {
  const { users, roles, emails, chat } = approvers;
  const names = [
    ...(users ?? []),
    ...(roles ?? []),
    ...(emails ?? []),
    ...(chat ? [`chat of ${chat.connectorId}`] : []),
  ];
  const shown = names.length === 0 ? "not limited to named people" : names.join(", ");
  return minApprovals > 1 ? `${shown}; ${minApprovals} have to agree` : shown;
};

const Decisions = ({ approval: { decisions } }: { approval: Approval }) =>
  decisions.map(({ action, decidedBy, decidedAt, comment, fields }) => (
    <Stack key={`${decidedBy} ${decidedAt}`} gap={4}>
      <Text size="sm">
        {action} by {decidedBy}, <Time value={decidedAt} />
        {comment !== null && `: ${comment}`}
      </Text>
      {Object.keys(fields).length > 0 && (
        <JsonView label={`Fields of ${decidedBy}`} value={fields} />
      )}
    </Stack>
  ));

const DecideForm = ({ approval }: { approval: Approval }) => {
  const { id, status, fields, actions } = approval;
  const mayDecide = useMay()("agents:execute");
  const [texts, setTexts] = useState<FormTexts>({});
  const [comment, setComment] = useState("");
  const { mutate, error, isPending } = useDecideApproval(id);
  // The problem stays after a refusal, even if the approval is no longer pending.
  const problem = <ProblemAlert error={error} shownAt={["/fields", "/comment"]} />;
  if (status !== "Pending" || !mayDecide) return problem;
  const decide = (action: string): void =>
    mutate({
      action,
      fields: parseValues(fields, texts),
      comment: comment.trim() === "" ? null : comment,
    });
  return (
    <Stack>
      {fields.length > 0 && (
        <FormFromSchema
          fields={fields}
          texts={texts}
          onChange={setTexts}
          error={error}
          pointer="/fields"
        />
      )}
      <Textarea
        label="Comment"
        autosize
        minRows={2}
        value={comment}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
        error={fieldError(error, "/comment")}
      />
      {problem}
      <Group>
        {actions.map((action, at) => (
          <Button
            key={action.id}
            variant={at === 0 ? "filled" : "default"}
            disabled={isPending}
            onClick={() => decide(action.id)}
          >
            {action.label}
          </Button>
        ))}
      </Group>
    </Stack>
  );
};
