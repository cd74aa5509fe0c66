/**
 * Returns a function that makes names unique: those of several equal ones after the first end in `_2`, `_3`, and
 * so on, within `maxLength` characters. Takes a constant number of look-ups per name.
 */
export const createUniqueNames = (maxLength: number): ((wanted: string) => string) => {
  const taken = new Set<string>();
  /** The next number to try, by the stem that is left of a name before the number. */
  const numbers = new Map<string, number>();

  const numbered = (wanted: string, digits: number): string | undefined => {
    const stem = `${wanted.slice(0, maxLength - digits - 1)}_`;
    const key = `${digits}${stem}`;
    const end = 10 ** digits;
    const start = numbers.get(key) ?? Math.max(2, end / 10);
    for (let number = start; number < end; number += 1) {
      const name = `${stem}${number}`;
      if (taken.has(name)) continue;
      numbers.set(key, number + 1);
      return name;
    }
    numbers.set(key, end);
    return undefined;
  };

  return (wanted) => {
    const whole = wanted.slice(0, maxLength);
    let name = taken.has(whole) ? undefined : whole;
    for (let digits = 1; name === undefined; digits += 1) name = numbered(whole, digits);
    taken.add(name);
    return name;
  };
};
