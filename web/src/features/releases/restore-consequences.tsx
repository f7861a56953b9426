/** What a restore does, in sentences: for apps, for the draft, and how it is undone. */
import { type Query, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Project } from "@/lib/api-types";
import { localZone } from "@/lib/instant";
import { namedBy } from "@/lib/query";
import { shortInstant } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Box, Heading, Text } from "@/ui/parts";
import { isBounded } from "./comparison";
import { type Reach, type ReleaseDiff, type RestorePreview, restorePreviewQuery } from "./queries";
import classes from "./restore-dialog.module.css";
import { changesOf, editsOf, placesOf } from "./words";

interface Consequences {
  project: Project;
  number: number;
  /** The release that apps had when the person looked. */
  seen: number;
  reach: Reach;
  diff: ReleaseDiff;
  /** Without images. */
  total: number;
}

const isFor = (reach: Reach, { queryKey }: Pick<Query, "queryKey">) =>
  namedBy(queryKey).params.query["draft"] === (reach === "draft");

export function RestoreConsequences({ project, number, seen, reach, diff, total }: Consequences) {
  const { unpublished } = project;
  const [atFirst] = useState(unpublished.total);
  // Each edit of a colleague can change the draft.
  const { data: preview, isPending } = useQuery({
    ...restorePreviewQuery(project.projectId, number, reach, seen, unpublished.total),
    enabled: total > 0,
    // Never the forecast of the other choice.
    placeholderData: (previous, query) => (query !== undefined && isFor(reach, query) ? previous : undefined),
  });
  const images = diff.imagesTotal > 0 && ` Images stay as they are now, though ${imagesOf(diff.imagesTotal)}.`;
  if (total === 0) {
    return (
      <Text mb={18} tone="ink-2" className={classes["lead"]}>
        Apps have the texts, colours and data of release {number} already.{images}
      </Text>
    );
  }
  const known = preview ?? (isPending ? "pending" : "unknown");
  return (
    <>
      <Box as="ul" mb={18} tone="ink-2" className={classes["lead"]}>
        <li>
          Apps get release {seen + 1} at once, with the texts, colours and data of release {number}: {changesOf(total)}{" "}
          to what they have now.{images || " Images stay as they are."}
        </li>
        {preview?.leftOut.map((sentence) => (
          <Box as="li" key={sentence} tone="warn">
            {sentence}
          </Box>
        ))}
        {reach === "apps" ? (
          <DraftStays unpublished={unpublished} preview={known} />
        ) : (
          <DraftFollows unpublished={unpublished} atFirst={atFirst} preview={known} />
        )}
        <Scheduled at={project.scheduledFor} />
        <li>
          To give apps back the texts, colours and data that they have now, undo it or restore release {seen}.
          {reach === "draft" &&
            unpublished.total > 0 &&
            preview?.keptEdits !== 0 &&
            " Only the undo returns edits that left the draft."}
        </li>
      </Box>
      <Heading as="h3" pb={10} size="s">
        What changes for apps
      </Heading>
      {isBounded(diff) && (
        <Text pb={10} size="s" tone="ink-3">
          Of long lists the first 200 changes are shown; the numbers count all.
        </Text>
      )}
    </>
  );
}

/** The forecast, or why there is no forecast. */
type Known = RestorePreview | "pending" | "unknown";

function DraftStays({ unpublished, preview }: { unpublished: Project["unpublished"]; preview: Known }) {
  const { total } = unpublished;
  const staying = typeof preview === "string" ? null : preview.staying;
  return (
    <>
      <li>
        The draft stays as it is.{" "}
        {total > 0 && `${changesOf(total)}${placesOf(unpublished)} ${total === 1 ? "stays" : "stay"} unpublished.`}
      </li>
      <li>
        {staying === null
          ? preview === "pending"
            ? "Counting how the draft differs from it…"
            : "The next publish gives apps all that differs between the draft and this release."
          : staying === 0
            ? "The draft has exactly what apps get: nothing is unpublished then."
            : `The draft then differs from what apps have by ${changesOf(staying)}. The next publish gives them to apps, unless you leave them out or discard them.`}
      </li>
    </>
  );
}

/** What becomes of unpublished changes when the draft is restored, too. */
function DraftFollows({
  unpublished,
  atFirst,
  preview,
}: {
  unpublished: Project["unpublished"];
  /** How many there were when the dialog opened. */
  atFirst: number;
  preview: Known;
}) {
  const { total } = unpublished;
  if (total === 0) return null;
  return (
    <li>
      {editsOf(total)} {total === 1 ? "is" : "are"} unpublished{placesOf(unpublished)}
      {total !== atFirst && `; when you opened this it was ${atFirst.toLocaleString("en")}`}.{" "}
      {preview === "pending" ? (
        "Counting what becomes of them…"
      ) : preview === "unknown" ? (
        "Edits to what was published before leave the draft. They stay in the histories of their screens, colours and items."
      ) : (
        <BecomesOfEdits preview={preview} />
      )}
    </li>
  );
}

function BecomesOfEdits({ preview: { waiting, staying, keptEdits } }: { preview: RestorePreview }) {
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
          </b>
          : deletions of items, Data Stores, screens and languages, and changes to the name and the published fields of
          a Data Store. The undo returns {undone === 1 ? "it" : "them"}.{" "}
        </>
      )}
      {staying > 0 && `${counted(staying)} ${staying === 1 ? "stays" : "stay"} in the draft: what apps never had.`}
    </>
  );
}

const counted = (count: number) => count.toLocaleString("en");

/** The scheduled publish, which a restore does not cancel. */
function Scheduled({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return null;
  const instant = new Date(at).getTime();
  return (
    <li>
      {instant > now
        ? `The scheduled publish of ${shortInstant(instant, now, localZone())} stays: it publishes what the draft holds then.`
        : "The scheduled publish happens now: it publishes what the draft holds."}
    </li>
  );
}

const imagesOf = (count: number) =>
  count === 1
    ? "1 of them was different in that release"
    : `${count.toLocaleString("en")} of them were different in that release`;
