import { type Tool, ToolError } from "../tool.ts";
import { textParameter } from "./text-parameter.ts";

const milliseconds = 60_000;

/** Returns the offset of a time zone from UTC at a time, in minutes. */
const offsetMinutes = (time: number, timeZone: string): number => {
  const parts = formatter(timeZone).formatToParts(time);
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value);
  const local = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return Math.round((local - Math.floor(time / 1_000) * 1_000) / milliseconds);
};

const formatter = (timeZone: string): Intl.DateTimeFormat => {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch (cause) {
    throw new ToolError('"timezone" must be an IANA time zone such as Europe/Berlin.', { cause });
  }
};

const isoWithOffset = (time: number, minutes: number): string => {
  const local = new Date(time + minutes * milliseconds).toISOString().slice(0, -1);
  if (minutes === 0) return `${local}Z`;
  const size = Math.abs(minutes);
  const hours = String(Math.floor(size / 60)).padStart(2, "0");
  return `${local}${minutes < 0 ? "-" : "+"}${hours}:${String(size % 60).padStart(2, "0")}`;
};

/** Tool `current_time`: returns the time as ISO 8601 with a time zone's offset, by default UTC. */
export const currentTime: Tool = {
  descriptor: {
    id: "current_time",
    displayName: "Current time",
    description: "The current date and time in ISO 8601, in UTC or in a time zone.",
    actionType: "ReadOnly",
    resultType: "String",
    parametersMetadata: [
      textParameter("timezone", "IANA time zone, such as Europe/Berlin; UTC when it is left out."),
    ],
  },
  async run({ timezone }, { clock }) {
    const time = clock();
    return isoWithOffset(time, timezone ? offsetMinutes(time, timezone) : 0);
  },
};
