import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./bubble.module.css";

type BubbleProps = {
  from: "user" | "agent";
  children: ReactNode;
  /** Whether the text is still being written. */
  isBusy?: boolean;
};

/** A text of the user, at the end of its line, or of the agent, at the start. */
export const Bubble = ({ from, children, isBusy = false }: BubbleProps) => (
  <div className={classes.bubble} data-from={from} aria-busy={isBusy}>
    <Text size="xs" c="dimmed" fw={600}>
      {from === "user" ? "User" : "Agent"}
    </Text>
    <div className={classes.text}>{children}</div>
  </div>
);
