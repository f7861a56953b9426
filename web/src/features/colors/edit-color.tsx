/** The form in a colour's row that changes the colour. */
import { useState } from "react";
import toast from "react-hot-toast";
import { currentIn, editorIn } from "@/lib/stale-revision";
import type { Unsaved } from "@/lib/use-leave-guard";
import { offerUndo } from "@/ui/undo-toast";
import { ColorForm } from "./color-form";
import { type Color, refusalOfColor, useColorWrites } from "./queries";

export function EditColor({
  projectId,
  color,
  colors,
  onDirty,
  onDone,
}: {
  projectId: string;
  color: Color;
  colors: readonly Color[];
  onDirty: (unsaved: Unsaved) => void;
  /** Called with the key that the colour has now. */
  onDone: (key: string) => void;
}) {
  const { change } = useColorWrites(projectId);
  const [base, setBase] = useState(color);
  const undoRename = async (renamed: Color) => {
    const { value, nickname } = renamed;
    try {
      await change.mutateAsync({ color: renamed, values: { key: color.key, value, nickname } });
    } catch {
      toast.error(`“${renamed.key}” could not be renamed back to “${color.key}”.`);
    }
  };
  return (
    <ColorForm
      label={`Edit ${color.key}`}
      submitText="Save"
      initial={color}
      place={{ form: "color", project: projectId, id: color.key }}
      seen={base.revision}
      onResume={(revision) => setBase({ ...base, revision })}
      isLocked={color.state !== "new"}
      others={colors.filter(({ key }) => key !== color.key)}
      autoFocus
      isPending={change.isPending}
      onDirty={onDirty}
      onCancel={() => onDone(color.key)}
      onSubmit={async ({ key, value, nickname }) => {
        try {
          const saved = await change.mutateAsync({ color: base, values: { key, value, nickname } });
          onDone(key);
          if (color.state !== "new" && key !== color.key) {
            offerUndo(`“${color.key}” is “${key}” now.`, () => void undoRename(saved));
          }
          return {};
        } catch (error) {
          const current = currentIn<Color>(error);
          if (current === undefined) return refusalOfColor(error, "Failed to update color");
          // Saving once more overwrites what is now known; nobody's colour goes unseen.
          setBase(current);
          const named = current.nickname === "" ? "" : `, “${current.nickname}”`;
          return {
            form: `${editorIn(error)} changed this colour to ${current.value}${named}. Save again to keep yours.`,
          };
        }
      }}
    />
  );
}
