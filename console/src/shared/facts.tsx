import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./facts.module.css";

/** Short facts about what a page shows, in one line with dots between them. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <Group component="span" gap={0} className={classes.facts ?? ""}>
    {children}
  </Group>
);
