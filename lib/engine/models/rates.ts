/** US dollars per million tokens by kind. */
export type Rates = {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** Input that is written to a cache, for minutes and for an hour. */
  readonly cacheWrite: number;
  readonly cacheWriteHour: number;
  readonly thinking: number;
};
