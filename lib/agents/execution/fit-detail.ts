import { cutNote } from "../../engine/flow/cut-note.ts";
import { answerBytes, mostAnswerBytes } from "../../platform/http/answer-size.ts";

/** Truncates input and output, the larger first, until both fit in one response. */
export const fitDetail = (
  whole: { input: unknown; output: unknown },
  most = mostAnswerBytes,
): { input: unknown; output: unknown } => {
  const bytes = { input: answerBytes(whole.input), output: answerBytes(whole.output) };
  if (bytes.input + bytes.output <= most) return whole;
  const larger = bytes.input > bytes.output ? "input" : "output";
  const smaller = larger === "input" ? "output" : "input";
  const cut = { ...whole, [larger]: cutNote(whole[larger]) };
  return bytes[smaller] + answerBytes(cut[larger]) <= most
    ? cut
    : { ...cut, [smaller]: cutNote(whole[smaller]) };
};
