import { TagsInput } from "@mantine/core";
import { findEventTypes } from "../../../../../lib/vendors/registry/find-event-types.ts";
import { readWaitKind, type WaitKind, waitKinds } from "../../../flow-graph/flow-model.ts";
import {
  isRecord,
  type Members,
  textIn,
  textsIn,
  withMember,
} from "../../../flow-graph/members.ts";
import { useLoadAll } from "../../../shared/use-load-all.ts";
import { providerLabel } from "../../../webhooks/providers.ts";
import { useWebhooks } from "../../../webhooks/use-webhooks.ts";
import { ExpressionField } from "../expression/expression-field.tsx";
import { DurationMember } from "./duration-member.tsx";
import type { StepForm } from "./step-form.ts";
import { ChoiceMember, OptionMember, TextMember, unmounted } from "./text-fields.tsx";

const kindLabels: Readonly<Record<WaitKind, string>> = {
  seconds: "for a duration",
  until: "until a time",
  event: "for an event of a webhook",
  callback: "for a callback",
};

/** Members of a new Wait, by kind. */
const templates: Readonly<Record<WaitKind, unknown>> = {
  seconds: 60,
  until: "",
  event: { webhookId: "" },
  callback: true,
};

/** Replaces what a Wait waits for; a time has no time limit. */
export const chooseWaitKind = (step: Members, kind: WaitKind): Members => {
  const isTime = kind === "seconds" || kind === "until";
  const dropped = [...waitKinds, ...(isTime ? ["timeoutSeconds", "onTimeout"] : [])];
  const others = dropped.reduce((kept, name) => withMember(kept, name, undefined), step);
  return { ...others, [kind]: templates[kind] };
};

/** Fields of a step that waits: for a time, an event or a callback. */
export const WaitMembers = ({ form }: { form: StepForm }) => {
  const kind = readWaitKind(form.step);
  return (
    <>
      <OptionMember
        label="Kind of wait"
        value={kind}
        options={waitKinds.map((value) => ({ value, label: kindLabels[value] }))}
        onChange={(chosen) => {
          const next = waitKinds.find((known) => known === chosen);
          if (next !== undefined && next !== kind) form.replace(chooseWaitKind(form.step, next));
        }}
      />
      {kind === "seconds" && (
        <DurationMember
          label="Duration"
          unitLabel="Unit of time"
          description="One year at most."
          value={form.step.seconds}
          onChange={(value) => form.set("seconds", value)}
          error={form.errorAt("/seconds")}
          hasExpression
        />
      )}
      {kind === "until" && (
        <TextMember
          form={form}
          name="until"
          label="Until"
          description="A time such as 2030-01-31T09:00:00Z, or an expression that returns one."
          isRequired
        />
      )}
      {kind === "event" && <EventMembers form={form} />}
      {(kind === "event" || kind === "callback") && <TimeLimit form={form} />}
    </>
  );
};

const TimeLimit = ({ form }: { form: StepForm }) => (
  <>
    <DurationMember
      label="Timeout"
      unitLabel="Unit of time"
      placeholder="3 days"
      value={form.step.timeoutSeconds}
      onChange={(value) => form.set("timeoutSeconds", value)}
      error={form.errorAt("/timeoutSeconds")}
    />
    <OptionMember
      label="On timeout"
      none="fail (default)"
      value={textIn(form.step.onTimeout)}
      options={[
        { value: "fail", label: "fail: the step fails" },
        { value: "continue", label: "continue: the step has no output" },
      ]}
      onChange={(value) => form.set("onTimeout", value)}
      error={form.errorAt("/onTimeout")}
    />
  </>
);

const EventMembers = ({ form }: { form: StepForm }) => {
  const webhooks = useLoadAll(useWebhooks(undefined)).items;
  const event = isRecord(form.step.event) ? form.step.event : {};
  const set = (name: string, value: unknown): void =>
    form.set("event", withMember(event, name, value));
  const webhookId = textIn(event.webhookId);
  const provider = webhooks.find(({ id }) => id === webhookId)?.provider;
  const known = provider === undefined ? undefined : findEventTypes(provider);
  return (
    <>
      <ChoiceMember
        label="Webhook"
        placeholder="Choose a webhook"
        nothingFound="No webhook has this name"
        value={webhookId}
        data={webhooks.map(({ id, provider: of, externalContext }) => ({
          value: id,
          label: [providerLabel(of), externalContext || id.slice(-6)].join(": "),
        }))}
        onChange={(id) => set("webhookId", id ?? "")}
        error={form.errorAt("/event/webhookId")}
      />
      <TagsInput
        comboboxProps={unmounted}
        label="Event types"
        description="All, if empty."
        data={[...(known?.names ?? [])]}
        limit={50}
        value={textsIn(event.eventTypes)}
        onChange={(types) => set("eventTypes", types.length === 0 ? undefined : types)}
        error={form.errorAt("/event/eventTypes")}
      />
      <ExpressionField
        label="Match"
        description="A JSONata expression that reads eventType, headers, payload, input and steps. An event matches if it returns true."
        placeholder="payload.issue.number = input.issue"
        isBare
        value={textIn(event.match)}
        onChange={(value) => set("match", value === "" ? undefined : value)}
        error={form.errorAt("/event/match")}
      />
      <DurationMember
        label="Lookback"
        unitLabel="Unit of the interval"
        description="Also matches events that arrived this long before the step."
        placeholder="5 minutes"
        value={event.lookbackSeconds}
        onChange={(value) => set("lookbackSeconds", value)}
        error={form.errorAt("/event/lookbackSeconds")}
      />
    </>
  );
};
