import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ProblemAlert } from "./problem-alert.tsx";

type ReadProblemProps = {
  /** The error of a read; nothing is shown without one. */
  error: unknown;
  /** Pointers that the page shows at its fields. */
  shownAt?: readonly string[];
};

/** Shows why something could not be read, and reads everything again that the page lacks. */
export const ReadProblem = ({ error, shownAt }: ReadProblemProps) => {
  const cache = useQueryClient();
  const [isReading, setIsReading] = useState(false);
  if (error === undefined || error === null) return null;
  const readAgain = async (): Promise<void> => {
    setIsReading(true);
    await cache.refetchQueries({
      type: "active",
      predicate: ({ state }) => state.status === "error",
    });
    setIsReading(false);
  };
  return (
    <ProblemAlert
      error={error}
      {...(shownAt && { shownAt })}
      action={
        <Button
          variant="default"
          size="compact-xs"
          loading={isReading}
          onClick={() => void readAgain()}
        >
          Try again
        </Button>
      }
    />
  );
};
