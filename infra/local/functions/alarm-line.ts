import * as z from "zod";

const LogLine = z.object({
  message: z.string(),
  error: z.object({ message: z.string() }).optional(),
});

const longest = 500;

/** Returns the one line of a logged error that the terminal shows; `logFile` has the rest. */
export const alarmLine = (text: string, logFile: string): string => {
  const [first = "", ...others] = text.trim().split("\n");
  const { data } = LogLine.safeParse(parsed(first));
  const summary = data === undefined ? first : withCause(data);
  const line = summary.replaceAll(/\s+/g, " ").slice(0, longest);
  const isWhole = data === undefined && others.length === 0 && line === summary;
  return isWhole ? line : `${line} (more in ${logFile})`;
};

const withCause = ({ message, error }: z.output<typeof LogLine>): string =>
  error === undefined ? message : `${message}: ${error.message}`;

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};
