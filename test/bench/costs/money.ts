/** Formats dollars with cents, and small amounts with two digits. */
export const money = (usd: number): string => {
  if (usd === 0) return "0";
  return usd < 0.1 ? usd.toPrecision(1) : usd.toFixed(2);
};
