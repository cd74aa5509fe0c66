/** A schedule of the scheduling service. */
export type Schedule = {
  /** At most 64 letters, digits, dashes, underscores and dots. */
  name: string;
  /** Shown in the console of the service. */
  description: string;
  /** Output of `formatCron`, or `at(yyyy-mm-ddThh:mm:ss)`. */
  expression: string;
  /** IANA time zone name. */
  timeZone: string;
  /** Body of the message that a firing sends to the queue `schedules`. */
  message: string;
  /** Whether it fires once, and is then removed. */
  isOnce?: true;
};

/** A scheduling service. Both operations are idempotent. */
export type Schedules = {
  /** Creates or replaces a schedule; `isKnown` hints which one to try first. */
  put: (schedule: Schedule, isKnown: boolean) => Promise<void>;
  /** Removes a schedule if it exists. */
  remove: (name: string) => Promise<void>;
};

/** Placeholder that EventBridge Scheduler replaces with the scheduled time. */
export const scheduledTimePlaceholder = "<aws.scheduler.scheduled-time>";
