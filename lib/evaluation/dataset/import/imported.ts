/** Formats of files with examples. */
export const importFormats = ["wharf", "openai-evals", "langfuse", "csv"] as const;
export type ImportFormat = (typeof importFormats)[number];

/** An object of a file. `place`: the line on which it begins or ends, or its position in a JSON array. */
export type ImportRecord = {
  readonly place: string;
  readonly members: { readonly [name: string]: unknown };
};

/** An example of a file, as the API takes it. */
export type ImportedExample = {
  id?: string;
  input: unknown;
  expected?: unknown;
  metadata?: Record<string, unknown>;
  split?: string;
};

/** The reason why a record is not an example. `place`: such as `line 3`; "" for the whole file. */
export type ImportProblem = { place: string; detail: string };

/** Names that the file's records use. */
export type ImportNames = {
  /** Member or column with the expected output; by default the first that is usual. */
  readonly expected?: string | undefined;
  /** Name of the agent's input for a value that is not an object. Default: `input`. */
  readonly input?: string | undefined;
};

/** An example, or why a record is none; undefined for a record that is left out. */
export type ReadRecord = { example: ImportedExample } | { detail: string } | undefined;

const usualNames = [
  "expected",
  "expectedOutput",
  "expected_output",
  "ideal",
  "reference",
  "reference_answer",
  "ground_truth",
  "correct_label",
  "correct_answer",
  "label",
  "answer",
  "target",
];

/** Returns the member or column with the expected output; undefined for none. */
export const expectedName = (
  names: readonly string[],
  { expected }: ImportNames,
): string | undefined =>
  expected !== undefined
    ? names.find((name) => name === expected)
    : usualNames.find((name) => names.includes(name));

/** Returns named inputs of an agent: an object as it is, any other value under a name. */
export const toInput = (value: unknown, { input = "input" }: ImportNames): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : { [input]: value };

/** Returns an object without some members. */
export const without = (
  members: { readonly [name: string]: unknown },
  names: readonly (string | undefined)[],
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

/** Returns an example without the members that have no value. */
export const toExample = ({
  id,
  input,
  expected,
  metadata,
  split,
}: {
  id?: string | undefined;
  input: unknown;
  expected?: unknown;
  metadata?: Record<string, unknown> | undefined;
  split?: string | undefined;
}): ReadRecord => ({
  example: {
    ...(id !== undefined && { id }),
    input,
    ...(expected !== undefined && expected !== null && { expected }),
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
    ...(split !== undefined && { split }),
  },
});
