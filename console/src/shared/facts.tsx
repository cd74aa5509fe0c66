import type { ReactNode } from "react";
import classes from "./facts.module.css";

/** Short facts about what a page shows, in a line with dots between them. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <div className={classes.frame}>
    <div className={classes.facts}>{children}</div>
  </div>
);
