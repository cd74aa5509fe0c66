import classes from "./status-badge.module.css";
import { statusText } from "./status-text.ts";

/** Kind of a status, which decides its colour. */
export type StatusKind = "good" | "bad" | "busy" | "idle";

/** Shows a status as a text with a coloured dot. */
export const StatusBadge = ({ status, kind }: { status: string; kind: StatusKind }) => (
  <span className={classes.badge} data-kind={kind}>
    {statusText(status)}
  </span>
);
