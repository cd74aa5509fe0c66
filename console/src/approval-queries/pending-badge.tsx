import { Badge, VisuallyHidden } from "@mantine/core";
import { useCountMine } from "./use-count-mine.ts";

/** Shows the number of pending approvals that the user may decide; nothing without one. */
export const PendingBadge = () => {
  const { data } = useCountMine();
  if (!data || data.count === 0) return null;
  const shown = `${data.count}${data.isMore ? "+" : ""}`;
  return (
    <Badge variant="default">
      {shown}
      <VisuallyHidden> to decide</VisuallyHidden>
    </Badge>
  );
};
