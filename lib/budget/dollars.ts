/** US dollars to a millionth of a millionth, without the dust that adding fractions in binary leaves. */
export const dollars = (amount: number): number => Number(amount.toFixed(12));
