/** Colours of the series, which differ from their neighbours for colour-blind readers too. */
const colors = [
  "light-dark(#0b6472, #35a5b8)",
  "light-dark(#e8890c, #f5b041)",
  "light-dark(#5f3dc4, #9775fa)",
  "light-dark(#2b8a3e, #69db7c)",
  "light-dark(#c2255c, #f783ac)",
  "light-dark(#1864ab, #74c0fc)",
  "light-dark(#846358, #d2bab0)",
  "light-dark(#868e96, #adb5bd)",
];

/** Returns the colour of a series by its place. */
export const seriesColor = (place: number): string => colors[place % colors.length] ?? "gray";
