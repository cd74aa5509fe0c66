import { TextInput } from "@mantine/core";
import { type FormState, textField } from "./text-field.ts";

type NamedForm = Readonly<Record<"displayName" | "id", string>>;

type NameFieldsProps<Form> = FormState<Form> & {
  /** The id of an existing resource cannot be changed, and is not shown. */
  isNew: boolean;
  /** Where the id is used. */
  idUse: string;
  /** Whether the service makes no id. */
  isIdRequired?: boolean;
  /** Explains the name's use; a required name needs no hint. */
  nameUse?: string;
  isNameOptional?: boolean;
};

/** Name and ID of a resource. */
export const NameFields = <Form extends NamedForm>(props: NameFieldsProps<Form>) => {
  const { isNew, idUse, isIdRequired = false, nameUse, isNameOptional = false } = props;
  const made = isIdRequired ? "" : " Generated if empty.";
  return (
    <>
      <TextInput
        label="Name"
        description={nameUse}
        required={!isNameOptional}
        withAsterisk={false}
        data-autofocus
        {...textField(props, "displayName")}
      />
      {isNew && (
        <TextInput
          label="ID"
          description={`${idUse}${made} It cannot be changed later.`}
          required={isIdRequired}
          withAsterisk={false}
          {...textField(props, "id")}
        />
      )}
    </>
  );
};
