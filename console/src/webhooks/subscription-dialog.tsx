import { type ReactNode, useMemo, useState } from "react";
import type { WebhookSubscription } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { JsonField } from "../shared/json-field.tsx";
import { refusedAt } from "../shared/problem.ts";
import { SessionFields } from "../shared/session-fields.tsx";
import { type SessionTexts, toSessionTexts, toTriggerSession } from "../shared/trigger-session.ts";
import { type Condition, ConditionFields, toConditions } from "./condition-fields.tsx";
import { type Subscriber, SubscriberFields, useSubscriberTypes } from "./subscriber-fields.tsx";
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

const pointers = [
  ...["/subscriberType", "/subscriberId", "/eventTypes", "/filter", "/input", "/session"],
] as const;

const CreateSubscription = ({ webhook, onClose }: { webhook: string; onClose: () => void }) => {
  const [firstType] = useSubscriberTypes();
  const [subscriber, setSubscriber] = useState<Subscriber>({
    type: firstType?.value ?? "Asset",
    id: "",
  });
  const saving = useCreateSubscription(webhook);
  const who = { subscriberType: subscriber.type, subscriberId: subscriber.id };
  return (
    <SubscriptionForm
      title="Add subscription"
      action="Create"
      start={{ eventTypes: [], filter: "", input: "", session: toSessionTexts(null) }}
      isOfAgent={subscriber.type === "Agent"}
      saving={saving}
      onSubmit={({ input, session, ...conditions }) =>
        saving.mutate(
          {
            ...{ ...who, ...conditions, ...(input !== null && { input }) },
            ...(session !== null && subscriber.type === "Agent" && { session }),
          },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <SubscriberFields subscriber={subscriber} onChange={setSubscriber} error={saving.error} />
    </SubscriptionForm>
  );
};

type EditSubscriptionProps = { subscription: WebhookSubscription; onClose: () => void };

const EditSubscription = ({ subscription, onClose }: EditSubscriptionProps) => {
  const { eventTypes, filter, input, session, subscriberType } = subscription;
  const saving = useUpdateSubscription(subscription);
  return (
    <SubscriptionForm
      title={`Edit the subscription of ${subscription.subscriberId}`}
      action="Save"
      start={{
        eventTypes: eventTypes ?? [],
        filter: filter ?? "",
        input: input === null || input === undefined ? "" : JSON.stringify(input, null, 2),
        session: toSessionTexts(session),
      }}
      isOfAgent={subscriberType === "Agent"}
      saving={saving}
      onSubmit={(body) => saving.mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
};

type SubscriptionBody = ReturnType<typeof toConditions> & { input: unknown; session: unknown };

type SubscriptionFormProps = {
  title: string;
  action: string;
  start: Match;
  /** Whether the subscriber is an agent, of which executions can have a session. */
  isOfAgent: boolean;
  saving: { error: unknown; isPending: boolean };
  onSubmit: (body: SubscriptionBody) => void;
  onClose: () => void;
  /** Fields before those of the match. */
  children?: ReactNode;
};

const SubscriptionForm = (props: SubscriptionFormProps) => {
  const { start, isOfAgent, saving, onSubmit, children, ...frame } = props;
  const { error, isPending } = saving;
  const [match, setMatch] = useState(start);
  const { value, problem } = readInput(match.input);
  const session = toTriggerSession(match.session);
  const submit = (): void => {
    if (problem === undefined) onSubmit({ ...toConditions(match), input: value, session });
  };
  return (
    <FormDialog
      {...frame}
      error={error}
      shownAt={pointers}
      isPending={isPending}
      onSubmit={submit}
      size="lg"
    >
      {children}
      <MatchFields match={match} onChange={setMatch} problem={problem} error={error} />
      {isOfAgent && (
        <SessionFields
          session={match.session}
          onChange={(typed) => setMatch({ ...match, session: typed })}
          error={error}
          pointer="/session"
          description="The ID of the session, with the same {% %} expressions. Executions of a session receive its earlier turns. The agent must use sessions."
          placeholder="{% payload.ticket.id %}"
        />
      )}
    </FormDialog>
  );
};

/** The condition, the input and the session of a subscription, as typed. */
type Match = Condition & { input: string; session: SessionTexts };

const readInput = (text: string): { value: unknown; problem?: string } => {
  if (text.trim() === "") return { value: null };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { value: null, problem: "This is not valid JSON." };
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
        description="JSON with the same {% %} expressions. If empty, the input event is the whole event."
        placeholder='{"title": "{% payload.issue.title %}"}'
        text={match.input}
        onChange={(input) => onChange({ ...match, input })}
        error={problem}
        problems={refused}
      />
    </>
  );
};
