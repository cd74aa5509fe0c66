/** US dollars per million tokens by kind. */
export type Rates = {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly thinking: number;
};
