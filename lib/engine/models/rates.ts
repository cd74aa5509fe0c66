/** US dollars for a million tokens of each kind. */
export type Rates = {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly thinking: number;
};
