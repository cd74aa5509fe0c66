/** Whether tests do their full number of runs, as in `npm run nightly`. */
export const isNightly = process.env.NIGHTLY === "true";

const mostRuns = 200;

/** Returns how often a property is tested: `nightly` times in the nightly run, otherwise `here` times. */
export const propertyRuns = (nightly: number, here = Math.min(nightly, mostRuns)): number =>
  isNightly ? nightly : here;

/** Distance of the calls that a test lets fail, one per run: every call in the nightly run, otherwise every fifth. */
export const failureStep = isNightly ? 1 : 5;

/** Returns all cases of a test in the nightly run, otherwise the first `here` of them. */
export const sampleCases = <Case>(all: readonly Case[], here: number): readonly Case[] =>
  isNightly ? all : all.slice(0, here);
