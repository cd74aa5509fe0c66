/** A sentence: more than one word, and a full stop. */
export type Sentence = `${string} ${string}.`;

/** A metric of CloudWatch, over periods of five minutes. */
export type MetricRow = {
  namespace: string;
  name: string;
  dimensions: Readonly<Record<string, string>>;
  /** Such as Sum, Maximum or p95. */
  statistic: string;
};

/** A function with its duration in milliseconds and its number of calls. */
export type TimedFunction = { duration: MetricRow; calls: MetricRow };

/** The value that an alarm watches, of at most ten metrics. */
export type Watch =
  | { kind: "sum"; metrics: readonly MetricRow[] }
  /** The highest duration among functions with at least `leastCalls` in a period; 0 for no such function. */
  | { kind: "slowest"; leastCalls: number; functions: readonly TimedFunction[] };

/** An alarm. It notifies the topic of the installation when it fires. */
export type AlarmRow = {
  /** PascalCase; with the prefix it is the name in CloudWatch. */
  id: string;
  /** The watched value, as a noun. */
  what: string;
  watch: Watch;
  /** The alarm fires at this value and above. */
  threshold: number;
  /** Unit of the threshold; none for a count. */
  unit?: "s" | "ms";
  /** Consecutive periods of five minutes at the threshold. Default: 1. */
  periods?: number;
  /** Effect on users: the first text that an engineer on call reads. */
  users: Sentence;
};

/** A step of an engineer on call. */
export type Step = {
  text: Sentence;
  /** A command for a shell in the repository, with credentials of the installation's account. */
  command?: string;
  /** Title of a graph on the dashboard. */
  graph?: string;
};

/** Alarms with the same runbook: a section of docs/operations.md. */
export type AlarmSection = {
  heading: string;
  about: Sentence;
  alarms: readonly AlarmRow[];
  steps: readonly Step[];
};

/** Returns the metrics that an alarm evaluates. CloudWatch bills them separately. */
export const listWatched = (watch: Watch): readonly MetricRow[] =>
  watch.kind === "sum"
    ? watch.metrics
    : watch.functions.flatMap(({ duration, calls }) => [duration, calls]);

/** Minutes of a period. */
export const periodMinutes = 5;

/** Metrics that one alarm may evaluate (CloudWatch User Guide, "Limits that apply to alarms based on metric math"). */
export const mostMetrics = 10;

/** Returns items in groups of at most `size`, with the suffix of a group's ID: none, 2, 3. */
export const inGroups = <Item>(
  items: readonly Item[],
  size: number,
): { suffix: string; members: readonly Item[] }[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => ({
    suffix: at === 0 ? "" : String(at + 1),
    members: items.slice(at * size, (at + 1) * size),
  }));
