import type { Io } from "./io.ts";

/** Adds colours to texts. */
export type Style = Readonly<
  Record<"red" | "green" | "yellow" | "dim" | "bold", (text: string) => string>
>;

const codes = { red: [31, 39], green: [32, 39], yellow: [33, 39], dim: [2, 22], bold: [1, 22] };

/** Returns the style of a stream: colours only on a terminal, and never with `NO_COLOR`. */
export const createStyle = (stream: { isTTY?: boolean }, { env }: Pick<Io, "env">): Style => {
  const inColour = stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  const paint =
    ([on, off]: readonly number[]) =>
    (text: string) =>
      inColour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    red: paint(codes.red),
    green: paint(codes.green),
    yellow: paint(codes.yellow),
    dim: paint(codes.dim),
    bold: paint(codes.bold),
  };
};
