/** The page of the images of a project. */
import { fireEvent, screen, within } from "@testing-library/react";
import { onTestFinished, vi } from "vitest";
import { ImagesPage } from "@/features/images/images-page";
import type { ImageRecord } from "@/features/images/queries";
import type { Answer, Project } from "@/lib/api-types";
import { PROJECT_ID } from "@/testing/fixtures";
import { openInProject } from "@/testing/in-project";
import { answer, server } from "@/testing/server";

type ImageUse = Answer<"/api/images/{projectId}/{imageId}/uses", "get">[number];

export const IMAGES = `/api/images/${PROJECT_ID}`;

export const anImage = (key: string, more: Partial<ImageRecord> = {}): ImageRecord => ({
  _id: `img_${key}`,
  key,
  aliases: [],
  url: `https://livery.example/media/${PROJECT_ID}/${key}`,
  width: 1600,
  height: 900,
  bytes: 84_000,
  contentType: "image/png",
  thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI",
  revision: 1,
  updatedAt: "2026-11-19T10:00:00Z",
  ...more,
});

export const aFile = (name: string, { type = "image/png", bytes = 2_000 } = {}) => {
  const file = new File(["x"], name, { type });
  Object.defineProperty(file, "size", { value: bytes });
  return file;
};

/** The forms of all calls: the network stand-in does not know those of jsdom. */
const forms: FormData[] = [];

export const uses: ImageUse[] = [];

export const sent = () =>
  forms.map((form) => Object.fromEntries([...form].map(([name, value]) => [name, nameOf(value)] as const)));

const nameOf = (value: FormDataEntryValue) => (value instanceof File ? value.name : value);

/** Before each test: a browser that shows pictures, no forms, and no items that use an image. */
export function prepareImages() {
  forms.length = 0;
  uses.length = 0;
  vi.stubGlobal(
    "FormData",
    class extends FormData {
      constructor() {
        super();
        forms.push(this);
      }
    },
  );
  // jsdom shows no pictures.
  URL.createObjectURL = () => "blob:preview";
  URL.revokeObjectURL = () => {};
  onTestFinished(() => {
    Reflect.deleteProperty(URL, "createObjectURL");
    Reflect.deleteProperty(URL, "revokeObjectURL");
  });
}

export async function openImages(images: ImageRecord[] = [anImage("logo_primary")], project: Partial<Project> = {}) {
  server.use(answer("get", IMAGES, images), answer("get", `${IMAGES}/:imageId/uses`, uses));
  const opened = openInProject(<ImagesPage />, project);
  await screen.findByText(images.length === 0 ? "No images yet" : (images[0]?.key ?? ""));
  return opened;
}

export const dialogOf = async (title: string) => within(await screen.findByRole("dialog", { name: title }));

export const drop = (files: File[]) =>
  fireEvent.drop(document.querySelector('[class*="cover"]') ?? document.body, {
    dataTransfer: { files, types: ["Files"], items: files.map((file) => ({ kind: "file", getAsFile: () => file })) },
  });
