/** Formats US dollars: cents, or up to six digits for smaller amounts. */
export const showDollars = (amount: number): string => {
  if (amount === 0) return "$0";
  if (amount >= 0.01) return `$${amount.toFixed(2)}`;
  return `$${Number(amount.toFixed(6))}`;
};

/** Formats a cost of which a part may have no price. */
export const showCost = (amount: number, priced: boolean): string => {
  if (priced) return showDollars(amount);
  return amount === 0 ? "no price" : `${showDollars(amount)} + no price`;
};

/** Formats a duration by its two largest units. */
export const showDuration = (milliseconds: number): string => {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return hours < 24
    ? `${hours} h ${minutes % 60} min`
    : `${Math.floor(hours / 24)} d ${hours % 24} h`;
};
