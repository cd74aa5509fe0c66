import { useMemo, useState } from "react";
import type { WebhookSubscription } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { JsonField } from "../shared/json-field.tsx";
import { refusedAt } from "../shared/problem.ts";
import { type Condition, ConditionFields, toConditions } from "./condition-fields.tsx";
import { type Subscriber, SubscriberFields } from "./subscriber-fields.tsx";
import { useCreateSubscription, useUpdateSubscription } from "./use-subscriptions.ts";

type SubscriptionDialogProps = {
  webhook: string;
  /** The subscription to change; none to create one. */
  subscription?: WebhookSubscription;
  onClose: () => void;
};

/** Creates or changes a subscription. */
export const SubscriptionDialog = ({ webhook, subscription, onClose }: SubscriptionDialogProps) =>
  subscription ? (
    <EditSubscription subscription={subscription} onClose={onClose} />
  ) : (
    <CreateSubscription webhook={webhook} onClose={onClose} />
  );

const pointers = ["/subscriberType", "/subscriberId", "/eventTypes", "/filter", "/input"] as const;

const CreateSubscription = ({ webhook, onClose }: { webhook: string; onClose: () => void }) => {
  const [subscriber, setSubscriber] = useState<Subscriber>({ type: "Agent", id: "" });
  const [match, setMatch] = useState<Match>({ eventTypes: [], filter: "", input: "" });
  const { mutate, error, isPending } = useCreateSubscription(webhook);
  const input = readInput(match.input);
  const body = {
    subscriberType: subscriber.type,
    subscriberId: subscriber.id,
    ...toConditions(match),
    ...(input.value !== null && { input: input.value }),
  };
  return (
    <FormDialog
      title="Add subscription"
      action="Create"
      error={error}
      shownAt={pointers}
      isPending={isPending}
      onSubmit={() => input.problem === undefined && mutate(body, { onSuccess: onClose })}
      onClose={onClose}
      size="lg"
    >
      <SubscriberFields subscriber={subscriber} onChange={setSubscriber} error={error} />
      <MatchFields match={match} onChange={setMatch} problem={input.problem} error={error} />
    </FormDialog>
  );
};

type EditSubscriptionProps = { subscription: WebhookSubscription; onClose: () => void };

const EditSubscription = ({ subscription, onClose }: EditSubscriptionProps) => {
  const { eventTypes, filter, input: before } = subscription;
  const [match, setMatch] = useState<Match>({
    eventTypes: eventTypes ?? [],
    filter: filter ?? "",
    input: before === null || before === undefined ? "" : JSON.stringify(before, null, 2),
  });
  const { mutate, error, isPending } = useUpdateSubscription(subscription);
  const input = readInput(match.input);
  const body = { ...toConditions(match), input: input.value };
  return (
    <FormDialog
      title={`Edit the subscription of ${subscription.subscriberId}`}
      action="Save"
      error={error}
      shownAt={pointers}
      isPending={isPending}
      onSubmit={() => input.problem === undefined && mutate(body, { onSuccess: onClose })}
      onClose={onClose}
      size="lg"
    >
      <MatchFields match={match} onChange={setMatch} problem={input.problem} error={error} />
    </FormDialog>
  );
};

/** Which deliveries match, and what is made of them, as typed. */
type Match = Condition & { input: string };

const readInput = (text: string): { value: unknown; problem?: string } => {
  if (text.trim() === "") return { value: null };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { value: null, problem: "This is not JSON yet." };
  }
};

type MatchFieldsProps = {
  match: Match;
  onChange: (match: Match) => void;
  /** Why the input cannot be sent. */
  problem: string | undefined;
  error: unknown;
};

const MatchFields = ({ match, onChange, problem, error }: MatchFieldsProps) => {
  const refused = useMemo(() => refusedAt(error, "/input"), [error]);
  return (
    <>
      <ConditionFields
        condition={match}
        onChange={(condition) => onChange({ ...match, ...condition })}
        error={error}
      />
      <JsonField
        label="Input"
        description="JSON with {% %} expressions over the same. Without it, an agent gets the whole event as event."
        placeholder='{"title": "{% payload.issue.title %}"}'
        text={match.input}
        onChange={(input) => onChange({ ...match, input })}
        error={problem}
        problems={refused}
      />
    </>
  );
};
