import { Text } from "@mantine/core";
import type { ReactNode } from "react";

type LabelledListProps = { label: string; className: string | undefined; children: ReactNode };

/** A list under its label. */
export const LabelledList = ({ label, className = "", children }: LabelledListProps) => (
  <div>
    <Text size="sm" fw={600} mb={4}>
      {label}
    </Text>
    <ul className={className} aria-label={label}>
      {children}
    </ul>
  </div>
);
