const most = 5;
const factors = [1, 2, 2.5, 5, 10];

/** Returns the ticks of an axis from zero to a value or just beyond it: at most five steps of round size. */
export const niceTicks = (value: number): number[] => {
  if (!(value > 0)) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(value / most));
  const factor = factors.find((candidate) => value / (candidate * power) <= most) ?? 10;
  const step = factor * power;
  const count = Math.ceil(value / step);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
};
