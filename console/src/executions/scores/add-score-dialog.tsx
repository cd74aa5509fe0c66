import { NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { CreateScoreBody } from "../../../../client/openapi.ts";
import { FormDialog } from "../../shared/form-dialog.tsx";
import { notifyDone } from "../../shared/notify.ts";
import { fieldError } from "../../shared/problem.ts";
import { type ScoredExecution, useSaveScore } from "./use-scores.ts";

type AddScoreDialogProps = { place: ScoredExecution; onClose: () => void };

const kinds = ["Number", "Yes or no", "Category"] as const;
type Kind = (typeof kinds)[number];

/** Adds a score to an execution. */
export const AddScoreDialog = ({ place, onClose }: AddScoreDialogProps) => {
  const [name, setName] = useState("");
  const [kind, setKind] = useState<Kind>("Number");
  const [number, setNumber] = useState<string | number>("");
  const [choice, setChoice] = useState("yes");
  const [category, setCategory] = useState("");
  const [comment, setComment] = useState("");
  const { mutate, error, isPending } = useSaveScore(place);
  const values: Readonly<Record<Kind, CreateScoreBody["value"]>> = {
    // The API refuses a value that is not a number.
    Number: number === "" ? Number.NaN : Number(number),
    "Yes or no": choice === "yes",
    Category: category,
  };
  const body = { name, value: values[kind], ...(comment !== "" && { comment }) };
  const showAdded = (): void => {
    notifyDone({ message: "Added the score." });
    onClose();
  };
  const common = { label: "Value", error: fieldError(error, "/value") };
  return (
    <FormDialog
      title="Add score"
      action="Add"
      error={error}
      shownAt={["/name", "/value", "/comment"]}
      isPending={isPending}
      onSubmit={() => mutate(body, { onSuccess: showAdded })}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="The name of the score, such as helpful or correct."
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={fieldError(error, "/name")}
      />
      <NativeSelect
        label="Kind"
        data={[...kinds]}
        value={kind}
        onChange={({ currentTarget: { value } }) =>
          setKind(kinds.find((kind) => kind === value) ?? "Number")
        }
      />
      {kind === "Number" && <NumberInput {...common} value={number} onChange={setNumber} />}
      {kind === "Yes or no" && (
        <NativeSelect
          {...common}
          data={["yes", "no"]}
          value={choice}
          onChange={({ currentTarget }) => setChoice(currentTarget.value)}
        />
      )}
      {kind === "Category" && (
        <TextInput
          {...common}
          value={category}
          onChange={({ currentTarget }) => setCategory(currentTarget.value)}
        />
      )}
      <Textarea
        label="Comment"
        autosize
        minRows={2}
        maxRows={8}
        value={comment}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
        error={fieldError(error, "/comment")}
      />
    </FormDialog>
  );
};
