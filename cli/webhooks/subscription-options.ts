import { text, texts } from "../options.ts";

/** Options of a subscription. */
export const subscriptionOptions = {
  filter: text(
    "jsonata",
    "run the agent only if this expression over eventType, headers and payload is true",
  ),
  eventType: texts("type", "run the agent only for deliveries of this type (can be repeated)"),
  input: texts(
    "name=value",
    "an input of the agent: text with {% %} expressions over eventType, headers and payload, or a value (can be repeated)",
  ),
  inputFile: text("file", "JSON file with the inputs, with expressions; - reads standard input"),
} as const;
