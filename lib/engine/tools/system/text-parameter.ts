import type { ParameterDescriptor } from "../../../values/json/parameters.ts";

/** Creates the descriptor of a tool's parameter, which is a string. */
export const textParameter = (
  name: string,
  description: string,
  { required = false }: { readonly required?: boolean } = {},
): ParameterDescriptor => ({
  name,
  index: null,
  type: "String",
  typeName: null,
  integerRange: null,
  floatRange: null,
  options: [],
  asset: null,
  displayName: name,
  description,
  required,
  secret: false,
  defaultValue: null,
  jsonSchema: null,
  uiHint: null,
  rules: [],
});
