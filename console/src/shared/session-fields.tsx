import { TextInput } from "@mantine/core";
import { fieldError } from "./problem.ts";
import type { SessionTexts } from "./trigger-session.ts";

type SessionFieldsProps = {
  session: SessionTexts;
  onChange: (session: SessionTexts) => void;
  error: unknown;
  /** Pointer of the session. */
  pointer: string;
  description: string;
  placeholder?: string;
};

/** Fields of the session that a trigger continues, and whom it belongs to. */
export const SessionFields = (props: SessionFieldsProps) => {
  const { session, onChange, error, pointer, description, placeholder } = props;
  const ofUser = fieldError(error, `${pointer}/endUserId`);
  return (
    <>
      <TextInput
        label="Session"
        description={description}
        placeholder={placeholder}
        value={session.id}
        onChange={({ currentTarget }) => onChange({ ...session, id: currentTarget.value })}
        error={ofUser === undefined && fieldError(error, pointer)}
      />
      {(session.id !== "" || session.endUserId !== "") && (
        <TextInput
          label="End user"
          description="The user to whom the session belongs. Optional."
          value={session.endUserId}
          onChange={({ currentTarget }) => onChange({ ...session, endUserId: currentTarget.value })}
          error={ofUser}
        />
      )}
    </>
  );
};
