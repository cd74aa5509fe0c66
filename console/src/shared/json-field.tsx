import { Box, Input } from "@mantine/core";
import { lazy, Suspense, useId } from "react";
import { PageLoader } from "./page-loader.tsx";

const JsonEditor = lazy(() =>
  import("./json-editor.tsx").then(({ JsonEditor: component }) => ({ default: component })),
);

type JsonFieldProps = {
  label: string;
  description?: string | undefined;
  text: string;
  onChange: ((text: string) => void) | undefined;
  /** Why the text is refused as a whole. */
  error?: string | undefined;
  /** Refusals of the API inside the value, with pointers from it; they are shown at their lines. */
  problems?: readonly { pointer: string; detail: string }[];
  /** Shown while there is no text. */
  placeholder?: string | undefined;
  height?: number;
  /** Whether the label is shown by something else; it still names the editor. */
  isLabelHidden?: boolean;
};

/** A field of a form that is edited as JSON. */
export const JsonField = (props: JsonFieldProps) => {
  const { label, description, text, onChange, error, problems = [], height = 140 } = props;
  const { placeholder, isLabelHidden = false } = props;
  const id = useId();
  const details = [error, ...problems.map(describeProblem)].filter(Boolean).join("; ");
  return (
    <Input.Wrapper
      label={isLabelHidden ? undefined : label}
      labelElement="div"
      description={description}
      error={details || undefined}
      id={id}
    >
      <Box my={4}>
        <Suspense fallback={<PageLoader />}>
          <JsonEditor
            label={label}
            value={text}
            onChange={onChange}
            problems={problems}
            placeholder={placeholder}
            height={height}
          />
        </Suspense>
      </Box>
    </Input.Wrapper>
  );
};

const describeProblem = ({ pointer, detail }: { pointer: string; detail: string }): string =>
  pointer === "" ? detail : `${pointer}: ${detail}`;
