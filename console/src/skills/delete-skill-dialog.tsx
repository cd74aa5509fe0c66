import { Text } from "@mantine/core";
import type { Skill } from "../../../client/openapi.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { useDeleteSkill } from "./use-skills.ts";

type DeleteSkillDialogProps = { skill: Skill; onDeleted?: () => void; onClose: () => void };

/** Asks before a skill is deleted. */
export const DeleteSkillDialog = ({ skill, onDeleted, onClose }: DeleteSkillDialogProps) => {
  const { mutateAsync } = useDeleteSkill(skill.id);
  const remove = async (): Promise<void> => {
    await mutateAsync();
    onDeleted?.();
  };
  return (
    <ConfirmDialog
      title={`Delete ${skill.displayName}?`}
      action="Delete"
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    >
      <Text>Steps that name it fail from now on.</Text>
    </ConfirmDialog>
  );
};
