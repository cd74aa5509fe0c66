/** A schedule as the service that fires it knows it. */
export type Schedule = {
  /** At most 64 letters, digits, dashes, underscores and dots. */
  name: string;
  /** For whoever looks at the service. */
  description: string;
  /** As `formatCron` writes it. */
  expression: string;
  /** IANA. */
  timeZone: string;
  /** Text of the message that a firing puts on the queue `schedules`. */
  message: string;
};

/** What fires schedules. Both are safe to repeat. */
export type Schedules = {
  /** Makes a schedule, or changes it to this; `isKnown` says which of both it will likely be. */
  put: (schedule: Schedule, isKnown: boolean) => Promise<void>;
  /** Removes a schedule; one that is not there is no error. */
  remove: (name: string) => Promise<void>;
};

/** Stands in a message for the time that a firing was scheduled for; EventBridge Scheduler fills it in. */
export const scheduledTimeMark = "<aws.scheduler.scheduled-time>";
