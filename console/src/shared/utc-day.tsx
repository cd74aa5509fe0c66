import { formatDay } from "./format.ts";

/** Shows a UTC day, which is `YYYY-MM-DD`. */
export const UtcDay = ({ date }: { date: string }) => (
  <time dateTime={date} style={{ whiteSpace: "nowrap" }}>
    {formatDay(date)}
  </time>
);
