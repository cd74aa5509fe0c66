/** Writes a status of the API in words: `TimedOut` as `Timed out`, `ACTIVE` as `Active`. */
export const statusText = (status: string): string => {
  const words = /^[A-Z]+$/.test(status)
    ? status.toLowerCase()
    : status.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return capitalize(words);
};

/** Writes the type of a problem in words: `/problems/execution-failed` as `Execution failed`. */
export const problemText = (type: string): string =>
  capitalize((type.split("/").at(-1) ?? "").replaceAll("-", " "));

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
