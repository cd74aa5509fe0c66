const delimiters = [",", ";", "\t"];

/** Returns the delimiter that the first line of a CSV file has most often. */
export const detectDelimiter = (csv: string): string => {
  const end = csv.indexOf("\n");
  const first = end === -1 ? csv : csv.slice(0, end);
  const counts = delimiters.map((delimiter) => first.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ",";
};
