import { Code, Input, Skeleton, Text } from "@mantine/core";
import { lazy, Suspense, useId, useState } from "react";
import { useExpressionSurroundings } from "./expression-context.ts";
import { usePreview } from "./use-preview.ts";

const ExpressionEditor = lazy(() =>
  import("./expression-editor.tsx").then(({ ExpressionEditor: component }) => ({
    default: component,
  })),
);

type ExpressionFieldProps = {
  label: string;
  description?: string | undefined;
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
  /** Whether the text is one expression, without `{%` and `%}`. */
  isBare?: boolean;
  minRows?: number;
  placeholder?: string | undefined;
  isRequired?: boolean;
  /** Whether something else shows the label. */
  isLabelHidden?: boolean;
};

/** A field of a step with expressions: completes them, and shows their value for a recent run while it has the focus. */
export const ExpressionField = (props: ExpressionFieldProps) => {
  const { label, description, value, onChange, error, isBare = false, minRows = 1 } = props;
  const { placeholder, isRequired = false, isLabelHidden = false } = props;
  const scope = useExpressionSurroundings();
  const [isFocused, setFocused] = useState(false);
  const id = useId();
  const template = isBare && value !== "" && !value.includes("{%") ? `{% ${value} %}` : value;
  const preview = usePreview(template, isFocused && scope.hasValues ? scope.values : undefined);
  return (
    <Input.Wrapper
      label={isLabelHidden ? undefined : label}
      labelElement="div"
      withAsterisk={isRequired}
      description={description}
      error={error}
      id={id}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Suspense
        fallback={<Skeleton height={22 * minRows + 16} role="status" aria-label="Loading" />}
      >
        <ExpressionEditor
          label={label}
          value={value}
          onChange={onChange}
          scope={scope}
          isBare={isBare}
          isReadOnly={scope.isReadOnly}
          minRows={minRows}
          placeholder={placeholder}
          describedBy={`${id}-description ${id}-error`}
          isInvalid={error !== undefined}
        />
      </Suspense>
      {preview && (
        <Text size="xs" c="dimmed" mt={4} component="div" role="status">
          {"text" in preview ? (
            <>
              {scope.source}: <Code>{preview.text.slice(0, shownLength)}</Code>
            </>
          ) : (
            preview.error
          )}
        </Text>
      )}
    </Input.Wrapper>
  );
};

const shownLength = 400;
