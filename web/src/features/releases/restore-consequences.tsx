/** What restoring a release comes to, in sentences: for apps, for the edits that wait, and for the way back. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Project } from "@/lib/api-types";
import { localZone } from "@/lib/instant";
import { shortInstant } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { isBounded } from "./comparison";
import { type ReleaseDiff, type RestorePreview, restorePreviewQuery } from "./queries";
import classes from "./restore-dialog.module.css";
import { changesOf, editsOf, placesOf } from "./words";

export function RestoreConsequences({
  project,
  number,
  seen,
  diff,
  total,
}: {
  project: Project;
  number: number;
  /** The release that apps had when the person looked. */
  seen: number;
  diff: ReleaseDiff;
  /** Without images. */
  total: number;
}) {
  const { unpublished } = project;
  const [atFirst] = useState(unpublished.total);
  // What waits may be other than it was with each edit of a colleague.
  const { data: preview, isPending } = useQuery({
    ...restorePreviewQuery(project.projectId, number, seen, unpublished.total),
    enabled: total > 0,
    placeholderData: keepPreviousData,
  });
  const images = diff.imagesTotal > 0 && ` Images stay as they are now, though ${imagesOf(diff.imagesTotal)}.`;
  if (total === 0) {
    return (
      <p className={classes["lead"]}>
        Apps have the texts, colours and data of release {number} already.{images}
      </p>
    );
  }
  const { total: waiting } = unpublished;
  return (
    <>
      <ul className={classes["lead"]}>
        <li>
          Apps get release {seen + 1} at once, with the texts, colours and data of release {number}: {changesOf(total)}{" "}
          to what they have now.{images || " Images stay as they are."}
        </li>
        {preview?.leftOut.map((sentence) => (
          <li key={sentence} className={classes["left"]}>
            {sentence}
          </li>
        ))}
        {waiting > 0 && (
          <li>
            {editsOf(waiting)} {waiting === 1 ? "is" : "are"} unpublished{placesOf(unpublished)}
            {waiting !== atFirst && `; when you opened this it was ${atFirst.toLocaleString("en")}`}.{" "}
            {preview !== undefined ? (
              <BecomesOfEdits preview={preview} />
            ) : isPending ? (
              "Counting what becomes of them…"
            ) : (
              "Edits to what was published before leave the draft, and so do new keys and colours. They stay in the histories of their screens, colours and items."
            )}
          </li>
        )}
        <Scheduled at={project.scheduledFor} />
        <li>
          To give apps back the texts, colours and data that they have now, undo it or restore release {seen}.
          {waiting > 0 && preview?.keptEdits !== 0 && " Only the undo returns edits that left the draft."}
        </li>
      </ul>
      <h3 className={classes["title"]}>What changes for apps</h3>
      {isBounded(diff) && <Bounded />}
    </>
  );
}

export function Bounded() {
  return <p className={classes["bounded"]}>Of long lists the first 200 changes are shown; the numbers count all.</p>;
}

export function BecomesOfEdits({ preview: { waiting, staying, keptEdits } }: { preview: RestorePreview }) {
  const undone = waiting - staying - keptEdits;
  if (staying === waiting && keptEdits === 0) return "All of it stays in the draft, as apps never had it.";
  return (
    <>
      {keptEdits > 0 && (
        <>
          <b>
            {counted(keptEdits)} {keptEdits === 1 ? "leaves" : "leave"} the draft
          </b>{" "}
          and {keptEdits === 1 ? "stays" : "stay"} in the histories of screens, colours and items. The undo returns{" "}
          {keptEdits === 1 ? "it" : "them"}.{" "}
        </>
      )}
      {undone > 0 && (
        <>
          <b>
            {counted(undone)} {undone === 1 ? "is" : "are"} undone
          </b>{" "}
          for good: deletions of items, Data Stores, screens and languages, and changes to the name and the published
          fields of a Data Store. No history keeps {undone === 1 ? "it" : "them"}, and the undo does not return{" "}
          {undone === 1 ? "it" : "them"}.{" "}
        </>
      )}
      {staying > 0 && `${counted(staying)} ${staying === 1 ? "stays" : "stay"} in the draft: what apps never had.`}
    </>
  );
}

const counted = (count: number) => count.toLocaleString("en");

/** What goes out by itself all the same. */
export function Scheduled({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return null;
  const instant = new Date(at).getTime();
  return (
    <li>
      {instant > now
        ? `The scheduled publish of ${shortInstant(instant, now, localZone())} stays: it publishes what the draft holds then.`
        : "The scheduled publish goes out now: it publishes what the draft holds."}
    </li>
  );
}

const imagesOf = (count: number) =>
  count === 1 ? "1 of them was another one then" : `${count.toLocaleString("en")} of them were others then`;
