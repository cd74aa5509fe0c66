import { Group, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { JobPolicy, Revision } from "../../../../client/openapi.ts";
import { FormDialog } from "../../shared/form-dialog.tsx";
import { fieldError } from "../../shared/problem.ts";
import { SessionFields } from "../../shared/session-fields.tsx";
import { toSessionTexts, toTriggerSession } from "../../shared/trigger-session.ts";
import { describePolicy } from "./describe-policy.ts";
import { useSaveSchedules } from "./use-schedules.ts";

type ScheduleDialogProps = {
  agent: string;
  latest: Revision;
  /** Absent to add a schedule. */
  policy?: JobPolicy | undefined;
  onClose: () => void;
};

const frequencies: readonly JobPolicy["scheduleFrequency"][] = [
  "hourly",
  "daily",
  "weekly",
  "monthly",
];
const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const monthDays = [...Array.from({ length: 31 }, (_, day) => `_${day + 1}`), "_last"];

const formatScheduleDay = (day: string): string =>
  day === "_last" ? "Last day" : day.replace("_", "").replace(/^[a-z]/, (c) => c.toUpperCase());

const newPolicy: JobPolicy = {
  ...{ id: "", tenantId: null, createdAt: null, modifiedAt: null, agentId: null },
  ...{ agentRevision: null, scheduleFrequency: "daily", scheduleDay: null },
  ...{ scheduleDayOfMonth: null, scheduleHour: "9", scheduleMinute: "0" },
  ...{ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, timeout: null, prompt: null },
  session: null,
};

/** Adds a schedule to the latest revision, or changes one, as a new revision. */
export const ScheduleDialog = ({ agent, latest, policy, onClose }: ScheduleDialogProps) => {
  const [draft, setDraft] = useState(policy ?? newPolicy);
  const [session, setSession] = useState(() => toSessionTexts(draft.session));
  const { mutate, error, isPending, bodyWith } = useSaveSchedules(agent, latest);
  const { id, ...sent } = { ...draft, session: toTriggerSession(session) };
  const saved = latest.jobPolicyConfigs;
  const at = policy ? saved.findIndex((saved) => saved.id === policy.id) : saved.length;
  const pointer = `/jobPolicyConfigs/${at}`;
  const change = (part: Partial<JobPolicy>): void => setDraft({ ...draft, ...part });
  const policies = policy
    ? saved.map((other) => (other.id === id ? { id, ...sent } : other))
    : [...saved, sent];
  const isHourly = draft.scheduleFrequency === "hourly";
  return (
    <FormDialog
      title={policy ? "Edit schedule" : "Add schedule"}
      action="Save revision"
      error={error}
      shownAt={shownMembers.map((member) => `${pointer}/${member}`)}
      isPending={isPending}
      onSubmit={() =>
        mutate(bodyWith(policies, `Schedule: ${describePolicy(draft)}`), { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <NativeSelect
        label="Frequency"
        data-autofocus
        value={draft.scheduleFrequency}
        data={frequencies.map((value) => ({ value, label: formatScheduleDay(value) }))}
        onChange={({ currentTarget: { value } }) => {
          const scheduleFrequency = frequencies.find((frequency) => frequency === value) ?? "daily";
          change({
            scheduleFrequency,
            scheduleDay: value === "weekly" ? "monday" : null,
            scheduleDayOfMonth: value === "monthly" ? "_1" : null,
            scheduleHour: value === "hourly" ? null : (draft.scheduleHour ?? "9"),
          });
        }}
      />
      {draft.scheduleFrequency === "weekly" && (
        <NativeSelect
          label="Weekday"
          value={draft.scheduleDay ?? ""}
          data={weekdays.map((value) => ({ value, label: formatScheduleDay(value) }))}
          onChange={({ currentTarget }) => change({ scheduleDay: currentTarget.value })}
          error={fieldError(error, `${pointer}/scheduleDay`)}
        />
      )}
      {draft.scheduleFrequency === "monthly" && (
        <NativeSelect
          label="Day of the month"
          value={draft.scheduleDayOfMonth ?? ""}
          data={monthDays.map((value) => ({ value, label: formatScheduleDay(value) }))}
          onChange={({ currentTarget }) => change({ scheduleDayOfMonth: currentTarget.value })}
          error={fieldError(error, `${pointer}/scheduleDayOfMonth`)}
        />
      )}
      <Group grow align="flex-start">
        {!isHourly && (
          <TextInput
            label="Hour"
            inputMode="numeric"
            value={draft.scheduleHour ?? ""}
            onChange={({ currentTarget }) => change({ scheduleHour: currentTarget.value })}
            error={fieldError(error, `${pointer}/scheduleHour`)}
          />
        )}
        <TextInput
          label="Minute"
          inputMode="numeric"
          value={draft.scheduleMinute ?? ""}
          onChange={({ currentTarget }) => change({ scheduleMinute: currentTarget.value })}
          error={fieldError(error, `${pointer}/scheduleMinute`)}
        />
      </Group>
      <TextInput
        label="Time zone"
        description="A name of the IANA database, such as Europe/Berlin"
        value={draft.timezone ?? ""}
        onChange={({ currentTarget: { value } }) => change({ timezone: value || null })}
        error={fieldError(error, `${pointer}/timezone`)}
      />
      <LimitFields {...{ draft, change, error, pointer }} />
      <SessionFields
        session={session}
        onChange={setSession}
        error={error}
        pointer={`${pointer}/session`}
        description="The ID of the session. Each execution receives the earlier turns. The revision must use sessions."
      />
    </FormDialog>
  );
};

const shownMembers = [
  ...["scheduleDay", "scheduleDayOfMonth", "scheduleHour", "scheduleMinute"],
  ...["timezone", "timeout", "prompt", "session"],
];

type LimitFieldsProps = {
  draft: JobPolicy;
  change: (part: Partial<JobPolicy>) => void;
  error: unknown;
  pointer: string;
};

const LimitFields = ({ draft, change, error, pointer }: LimitFieldsProps) => (
  <>
    <NumberInput
      label="Timeout"
      description="In seconds, 900 at most"
      hideControls
      value={draft.timeout ?? ""}
      onChange={(value) => change({ timeout: value === "" ? null : Number(value) })}
      error={fieldError(error, `${pointer}/timeout`)}
    />
    <Textarea
      label="Prompt"
      description="The input “prompt”, if the agent declares it"
      autosize
      minRows={2}
      value={draft.prompt ?? ""}
      onChange={({ currentTarget: { value } }) => change({ prompt: value || null })}
      error={fieldError(error, `${pointer}/prompt`)}
    />
  </>
);
