import type { ReactNode } from "react";
import type { ExecutionDetail } from "../../../client/openapi.ts";
import { findTemplate } from "./all-templates.ts";

type TemplateInputProps = {
  name: string;
  children: (input: ExecutionDetail["input"]) => ReactNode;
};

/** Passes on the sample input of a template; none for a name that is unknown. */
export const TemplateInput = ({ name, children }: TemplateInputProps) =>
  children(findTemplate(name)?.template.input ?? {});
