import { cutNote } from "../../engine/flow/cut-note.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";

/** Truncates input and output, the larger first, until both fit in one response. */
export const fitDetail = (
  whole: { input: unknown; output: unknown },
  most = maxResponseBytes,
): { input: unknown; output: unknown } => {
  const bytes = { input: responseBytes(whole.input), output: responseBytes(whole.output) };
  if (bytes.input + bytes.output <= most) return whole;
  const larger = bytes.input > bytes.output ? "input" : "output";
  const smaller = larger === "input" ? "output" : "input";
  const cut = { ...whole, [larger]: cutNote(whole[larger]) };
  return bytes[smaller] + responseBytes(cut[larger]) <= most
    ? cut
    : { ...cut, [smaller]: cutNote(whole[smaller]) };
};
