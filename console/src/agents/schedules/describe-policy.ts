import type { JobPolicy } from "../../../../client/openapi.ts";

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const dayText = ({ scheduleFrequency, scheduleDay, scheduleDayOfMonth }: JobPolicy): string => {
  switch (scheduleFrequency) {
    case "hourly":
      return "Every hour";
    case "daily":
      return "Every day";
    case "weekly":
      return `Every ${capitalized(scheduleDay ?? "")}`;
    case "monthly":
      return scheduleDayOfMonth === "_last"
        ? "On the last day of each month"
        : `On day ${scheduleDayOfMonth?.slice(1)} of each month`;
  }
};

/** Describes when a policy runs, such as `Every Monday at 09:30 (Europe/Berlin)`. */
export const describePolicy = (policy: JobPolicy): string => {
  const minute = (policy.scheduleMinute ?? "0").padStart(2, "0");
  const time =
    policy.scheduleFrequency === "hourly"
      ? `minute ${minute}`
      : `${(policy.scheduleHour ?? "0").padStart(2, "0")}:${minute}`;
  return `${dayText(policy)} at ${time} (${policy.timezone ?? "UTC"})`;
};
