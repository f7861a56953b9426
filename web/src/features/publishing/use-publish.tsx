/** Publishes what was reviewed, and brings every page up to date. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { useHref, useNavigate } from "react-router";
import { api, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { keepProject } from "@/lib/project";
import { invalidateProject } from "@/lib/query";
import { announce } from "@/lib/window-events";
import { look } from "@/ui/look";
import { Box } from "@/ui/parts";
import classes from "./publish-dialog.module.css";

/** Long enough to follow the link in it. */
const SHOWN_MS = 5_000;
/** The toast of a second publish takes the place of the first one's. */
const PUBLISHED = "published";

/** Toasts are outside the pages, so the link is given its address and how to go there. */
function Published({
  release,
  kept,
  href,
  onOpen,
}: {
  release: number;
  /** How many changes stay in the draft. */
  kept: number;
  href: string;
  onOpen: () => void;
}) {
  return (
    <>
      <Box as="span" layout="block">
        Changes published successfully!
        {kept > 0 && ` ${kept.toLocaleString("en")} ${kept === 1 ? "stays" : "stay"} in the draft.`}
      </Box>
      <a
        className={look({ layout: "block", tone: "accent-text", num: true }, classes["release"])}
        href={href}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onOpen();
        }}
      >
        Release {release}
      </a>
    </>
  );
}

interface Publishing {
  /** The token of the diff that was reviewed. */
  token: string;
  leaveOut: string[];
  /** How many changes that leaves in the draft, as the review counts them. */
  kept: number;
}

export function usePublish(project: Project, onPublished: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { projectId } = project;
  const base = useHref(`/projects/${projectId}/releases`);
  return useMutation({
    mutationFn: ({ token, leaveOut }: Publishing) =>
      take(
        api.POST("/api/translations/{projectId}/publish", {
          params: { path: { projectId } },
          body: { expected: token, ...(leaveOut.length === 0 ? {} : { leaveOut }) },
        }),
      ),
    onSuccess: (outcome, { leaveOut, kept }) => {
      const isWhole = leaveOut.length === 0;
      keepProject(client, projectId, (present) => ({
        ...present,
        release: outcome.release,
        isPublished: true,
        unpublished: isWhole
          ? { total: 0, screens: {}, colors: 0, stores: 0 }
          : { ...present.unpublished, total: kept },
      }));
      toast.success(
        outcome.published ? (
          <Published
            release={outcome.release}
            kept={kept}
            href={`${base}?release=${outcome.release}`}
            // The toast stays: when a toast disappears under the pointer, the time of all toasts stops.
            onOpen={() => void navigate(`/projects/${projectId}/releases?release=${outcome.release}`)}
          />
        ) : (
          outcome.message
        ),
        { id: PUBLISHED, duration: SHOWN_MS },
      );
      // Texts and colours carry their published state too. Where the rest of the draft is, the server knows.
      void invalidateProject(client, projectId, { butItself: isWhole });
      announce("projectUpdated", { projectId });
      onPublished();
    },
  });
}
