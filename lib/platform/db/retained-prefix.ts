/** Days after which lifecycle rules expire objects. Every number of days is a prefix of its own. */
export const retentionClasses = [1, 7, 30, 90, 180, 400, 800, 1_600, 3_650] as const;

const longest = retentionClasses[retentionClasses.length - 1];

/** Returns the prefix of objects that are kept for a number of days, below a prefix. */
export const retainedPrefix = (prefix: string, days: number): string =>
  `${prefix}/${retentionClasses.find((most) => days <= most) ?? longest}`;
