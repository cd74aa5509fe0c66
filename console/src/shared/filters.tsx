import type { ReactNode } from "react";
import classes from "./filters.module.css";

/** Fields that filter a list, in a line; two next to each other on narrow screens. */
export const Filters = ({ children }: { children: ReactNode }) => (
  <div className={classes.filters}>{children}</div>
);
