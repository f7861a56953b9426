import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Answer, Project } from "@/lib/api-types";
import { hurry } from "@/testing/clock";
import { renderInProject } from "@/testing/component";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { openInProject } from "@/testing/in-project";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { openSignedIn } from "@/testing/open";
import { answer, eventStream, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";
import { ImagesPage } from "./images-page";
import type { ImageRecord } from "./queries";

type ImageUse = Answer<"/api/images/{projectId}/{imageId}/uses", "get">[number];

const IMAGES = `/api/images/${PROJECT_ID}`;
const EXPIRED: Partial<Project> = { activeTier: "expired", plan: "expired", expiresAt: "2026-01-01T00:00:00Z" };

const anImage = (key: string, more: Partial<ImageRecord> = {}): ImageRecord => ({
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

const aFile = (name: string, { type = "image/png", bytes = 2_000 } = {}) => {
  const file = new File(["x"], name, { type });
  Object.defineProperty(file, "size", { value: bytes });
  return file;
};

/** The forms of all calls: the network stand-in does not know those of jsdom. */
let forms: FormData[];
let uses: ImageUse[];
const sent = () =>
  forms.map((form) => Object.fromEntries([...form].map(([name, value]) => [name, nameOf(value)] as const)));
const nameOf = (value: FormDataEntryValue) => (value instanceof File ? value.name : value);

beforeEach(() => {
  forms = [];
  uses = [];
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
});
afterEach(() => {
  Reflect.deleteProperty(URL, "createObjectURL");
  Reflect.deleteProperty(URL, "revokeObjectURL");
});

/** With the whole dashboard around the page. */
async function openDashboard(images: ImageRecord[] = [anImage("logo_primary")], project: Partial<Project> = {}) {
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(project)),
    answer("get", "/api/languages", { languages: [] }),
    answer("get", IMAGES, images),
  );
  const opened = openSignedIn(`/projects/${PROJECT_ID}/images`);
  await screen.findByText(images[0]?.key ?? "");
  return opened;
}

async function openImages(images: ImageRecord[] = [anImage("logo_primary")], project: Partial<Project> = {}) {
  server.use(answer("get", IMAGES, images), answer("get", `${IMAGES}/:imageId/uses`, uses));
  const opened = openInProject(<ImagesPage />, project);
  await screen.findByText(images.length === 0 ? "No images yet" : (images[0]?.key ?? ""));
  return opened;
}

const dialogOf = async (title: string) => within(await screen.findByRole("dialog", { name: title }));
const drop = (files: File[]) =>
  fireEvent.drop(document.querySelector('[class*="cover"]') ?? document.body, {
    dataTransfer: { files, types: ["Files"], items: files.map((file) => ({ kind: "file", getAsFile: () => file })) },
  });

test("the key of an image is kept on the device until it is saved or given up", async () => {
  const openAgain = async () => {
    server.use(answer("get", IMAGES, [anImage("logo_primary")]));
    const opened = renderInProject(<ImagesPage />);
    await opened.user.click(await screen.findByRole("button", { name: "Upload Image" }));
    return { ...opened, dialog: await dialogOf("Upload Image") };
  };
  const first = await openAgain();
  await first.user.type(first.dialog.getByRole("textbox", { name: "Image Key" }), "hero");
  first.unmount();

  const { user, dialog, unmount } = await openAgain();
  await user.click(await findOfferOfText());
  expect(dialog.getByRole("textbox", { name: "Image Key" })).toHaveValue("hero");
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  unmount();

  await openAgain();
  expect(offerOfText()).not.toBeInTheDocument();
});

test("a kept key that renames a live image is shown, with what the rename breaks", async () => {
  const openForm = async () => {
    server.use(answer("get", IMAGES, [anImage("logo_primary")]));
    const opened = renderInProject(<ImagesPage />);
    await opened.user.click(await screen.findByRole("button", { name: "Edit logo_primary" }));
    return { ...opened, dialog: await dialogOf("Update Image") };
  };
  const first = await openForm();
  await first.user.click(first.dialog.getByRole("button", { name: "Rename…" }));
  await first.user.type(first.dialog.getByRole("textbox", { name: "Image Key" }), "_old");
  first.unmount();

  const { user, dialog } = await openForm();
  await user.click(await findOfferOfText());

  expect(dialog.getByRole("textbox", { name: "Image Key" })).toHaveValue("logo_primary_old");
  expect(dialog.getByText(/go on getting this image/)).toHaveTextContent("logo_primary");
});

// spec: image-1, image-5
test("each image shows its picture, its key, its size, and an address to copy", async () => {
  const { user } = await openImages([anImage("logo_primary"), anImage("hero", { contentType: "image/webp" })]);

  const cards = within(screen.getByRole("list", { name: "Images" })).getAllByRole("listitem");
  const card = within(cards[0] as HTMLElement);
  expect(card.getByRole("img", { name: "logo_primary" })).toHaveAttribute(
    "src",
    `/media/${PROJECT_ID}/logo_primary?w=512&v=1`,
  );
  expect(card.getByText("1,600 × 900 · 82 KB · PNG")).toBeVisible();
  await user.click(card.getByRole("button", { name: "Copy URL of logo_primary" }));

  expect(await screen.findByText("URL copied to clipboard!")).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toBe(`https://livery.example/media/${PROJECT_ID}/logo_primary`);
});

// spec: image-29
test("a picture has its place and a blurred placeholder before it is loaded", async () => {
  await openImages([anImage("tall", { width: 600, height: 1200 })]);

  const picture = screen.getByRole("img", { name: "tall" });
  const frame = picture.parentElement as HTMLElement;
  expect(frame).toHaveStyle({ height: "100%", aspectRatio: "0.5" });
  expect(frame.querySelector("img[aria-hidden]")).toHaveAttribute("src", expect.stringMatching(/^data:image\/png/));
  fireEvent.load(picture);
  expect(frame.querySelector("img[aria-hidden]")).toBeNull();
});

test("a picture that can't be loaded shows that; a broken placeholder shows nothing", async () => {
  await openImages([anImage("logo", { thumbhash: "%%%" })]);

  fireEvent.error(screen.getByRole("img", { name: "logo" }));

  expect(screen.getByRole("img", { name: "logo could not be loaded" })).toBeInTheDocument();
});

// spec: image-3, image-6, image-7
test("without images the page explains the first step", async () => {
  const { user } = await openImages([]);

  expect(screen.getByText("Get started by uploading your first image asset.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Upload Image" }));

  const dialog = await dialogOf("Upload Image");
  expect(dialog.getByRole("textbox", { name: "Image Key" })).toHaveAttribute("placeholder", "logo_primary");
  expect(dialog.getByText(/JPG, PNG and WEBP up to 10MB/)).toBeVisible();
  expect(dialog.getByText("Apps have it at once, without a publish.")).toBeVisible();
});

// spec: image-18
test("images that can't be read can be loaded again", async () => {
  server.use(answer("get", IMAGES, "", { status: 500 }));
  const { user } = openInProject(<ImagesPage />);
  expect(await screen.findByText("Failed to fetch images.")).toBeVisible();

  server.use(answer("get", IMAGES, [anImage("logo")]));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("logo")).toBeVisible();
});

// spec: image-2, image-17, image-22
test("an image is uploaded under a key made of its file's name", async () => {
  const { user } = await openImages();
  await user.click(screen.getByRole("button", { name: "Upload Image" }));
  const dialog = await dialogOf("Upload Image");

  await user.upload(dialog.getByLabelText("Image file"), aFile("Größe Bänner (2).PNG"));
  expect(await dialog.findByRole("img", { name: "Preview of Größe Bänner (2).PNG" })).toBeVisible();
  expect(dialog.getByText(/the stored file can be smaller or larger than yours/)).toBeVisible();
  expect(dialog.getByRole("textbox", { name: "Image Key" })).toHaveValue("grosse_banner_2");
  const saved = anImage("grosse_banner_2");
  server.use(answer("post", IMAGES, saved, { status: 201 }), answer("get", IMAGES, [anImage("logo_primary"), saved]));
  await user.click(dialog.getByRole("button", { name: "Upload" }));

  expect(await screen.findByText('Image "grosse_banner_2" uploaded successfully!')).toBeInTheDocument();
  expect(sent()).toEqual([{ key: "grosse_banner_2", imageFile: "Größe Bänner (2).PNG" }]);
  expect(await screen.findByRole("button", { name: "Edit grosse_banner_2" })).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

// spec: image-11
test("a key that was typed is kept, and a key that is made from a file's name is never taken already", async () => {
  const { user } = await openImages([anImage("hero")]);
  await user.click(screen.getByRole("button", { name: "Upload Image" }));
  const dialog = await dialogOf("Upload Image");
  const key = dialog.getByRole("textbox", { name: "Image Key" });

  await user.upload(dialog.getByLabelText("Image file"), aFile("hero.png"));
  await waitFor(() => expect(key).toHaveValue("hero_2"));
  await user.clear(key);
  await enter(user, key, "start.hero");
  await user.click(dialog.getByRole("button", { name: "Remove image" }));
  await user.upload(dialog.getByLabelText("Image file"), aFile("42.jpg", { type: "image/jpeg" }));
  await dialog.findByRole("img", { name: "Preview of 42.jpg" });

  expect(key).toHaveValue("start.hero");
});

// spec: image-12, image-13, image-14
test("the form shows what is missing or wrong before anything is sent", async () => {
  const { user } = await openImages();
  await user.click(screen.getByRole("button", { name: "Upload Image" }));
  const dialog = await dialogOf("Upload Image");
  const key = dialog.getByRole("textbox", { name: "Image Key" });
  const upload = dialog.getByRole("button", { name: "Upload" });

  await user.click(upload);
  expect(dialog.getByText("Image key is required.")).toBeVisible();
  expect(dialog.getByText("Please select an image to upload.")).toBeVisible();
  await user.type(key, "  logo_primary {Enter}");
  expect(dialog.getByText('Image key "logo_primary" already exists.')).toBeVisible();
  await user.clear(key);
  await user.type(key, "1st{Enter}");
  expect(dialog.getByText("Use letters, numbers, dots, hyphens, underscores. Must start with a letter.")).toBeVisible();

  const choose = (file: File) => fireEvent.change(dialog.getByLabelText("Image file"), { target: { files: [file] } });
  choose(aFile("anim.gif", { type: "image/gif" }));
  expect(await dialog.findByText("Invalid file type. Please upload a JPG, PNG, WEBP image.")).toBeVisible();
  choose(aFile("huge.png", { bytes: 12_900_000 }));
  expect(await dialog.findByText("This image is 12.3 MB. Please choose one of up to 10MB.")).toBeVisible();
  expect(sent()).toEqual([]);
});

// spec: image-19
test("the server's refusal is under the field that it names", async () => {
  const { user } = await openImages();
  drop([aFile("other.png")]);
  const dialog = await dialogOf("Upload Image");
  const upload = dialog.getByRole("button", { name: "Upload" });

  server.use(
    refusal("post", IMAGES, 409, {
      message: 'Image key "other" already exists.',
      fields: { key: 'Image key "other" already exists.' },
    }),
  );
  await user.click(upload);
  expect(await dialog.findByText('Image key "other" already exists.')).toBeVisible();
  server.use(refusal("post", IMAGES, 415, { message: "Invalid file type. Please upload a JPG, PNG, WEBP image." }));
  await user.click(upload);
  expect(await dialog.findByText("Invalid file type. Please upload a JPG, PNG, WEBP image.")).toBeVisible();
  server.use(answer("post", IMAGES, "", { status: 500 }));
  await user.click(upload);
  expect(await dialog.findByText("Failed to upload image.")).toBeVisible();
  server.use(offline("post", IMAGES));
  await user.click(upload);
  expect(await dialog.findByText(/^Failed to upload image\. The server can't be reached/)).toBeVisible();
  expect(dialog.getByRole("img", { name: "Preview of other.png" })).toBeVisible();
});

// spec: image-8
test("files that are dropped anywhere are uploaded one by one", async () => {
  const { user } = await openImages();
  drop([aFile("one.png"), aFile("notes.txt", { type: "text/plain" }), aFile("two.webp", { type: "image/webp" })]);
  expect(await screen.findByText("Invalid file type. Please upload a JPG, PNG, WEBP image.")).toBeInTheDocument();
  const first = await dialogOf("Upload Image (1 of 2)");
  server.use(
    http.post(`*${IMAGES}`, () => HttpResponse.json(anImage(String(sent().at(-1)?.["key"])), { status: 201 })),
  );

  await user.click(first.getByRole("button", { name: "Upload" }));
  const second = await dialogOf("Upload Image (2 of 2)");
  expect(second.getByRole("textbox", { name: "Image Key" })).toHaveValue("two");
  await user.click(second.getByRole("button", { name: "Upload" }));

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(sent().map(({ key }) => key)).toEqual(["one", "two"]);
});

// spec: image-8
test("a pasted picture opens the form, and pasted text does not", async () => {
  await openImages();

  fireEvent.paste(window, { clipboardData: { files: [] } });
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  fireEvent.paste(window, { clipboardData: { files: [aFile("image.png")] } });

  const dialog = await dialogOf("Upload Image");
  expect(dialog.getByRole("textbox", { name: "Image Key" })).toHaveValue("image");
});

// spec: image-25
test("an upload shows its progress and can be stopped", async () => {
  const { user } = await openImages();
  drop([aFile("hero.png")]);
  const dialog = await dialogOf("Upload Image");
  server.use(answer("post", IMAGES, anImage("hero"), { afterMs: "infinite" }));

  await user.click(dialog.getByRole("button", { name: "Upload" }));
  expect(await dialog.findByRole("progressbar", { name: "Upload progress" })).toBeVisible();
  expect(await dialog.findByText(/Uploading…|Processing…/)).toBeVisible();
  expect(dialog.getByRole("textbox", { name: "Image Key" })).toBeDisabled();
  await user.click(dialog.getByRole("button", { name: "Cancel" }));

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(screen.queryByText(/uploaded successfully/)).not.toBeInTheDocument();
});

// spec: image-31
test("the submit button names its action, and the running action while it runs", async () => {
  const { user } = await openImages();
  const words = async (title: string, idle: string, busy: string) => {
    const dialog = await dialogOf(title);
    const submit = dialog.getByRole("button", { name: idle });
    expect(submit).toHaveTextContent(new RegExp(`^${idle}$`));
    const rename = dialog.queryByRole("button", { name: "Rename…" });
    if (rename !== null) await user.click(rename);
    await user.type(dialog.getByRole("textbox", { name: "Image Key" }), "_2{Enter}");
    await waitFor(() => expect(submit).toHaveTextContent(busy));
    expect(submit).toHaveAttribute("aria-disabled", "true");
    await user.click(submit);
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  };
  server.use(
    answer("post", IMAGES, anImage("hero"), { afterMs: "infinite" }),
    answer("put", `${IMAGES}/img_logo_primary`, anImage("logo_primary"), { afterMs: "infinite" }),
  );

  drop([aFile("hero.png")]);
  await words("Upload Image", "Upload", "Uploading...");
  await user.click(screen.getByRole("button", { name: "Edit logo_primary" }));
  await words("Update Image", "Save Changes", "Updating...");

  expect(sent()).toHaveLength(2);
});

// spec: image-9, image-10, image-15, image-23
test("the live image is replaced, kept, or replaced by a second choice", async () => {
  const { user } = await openImages();
  await user.click(screen.getByRole("button", { name: "Edit logo_primary" }));
  const dialog = await dialogOf("Update Image");
  const live = "This image is currently live. Replace it with a new upload if needed.";
  const save = dialog.getByRole("button", { name: "Save Changes" });

  expect(dialog.getByText(live)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Replace image" }));
  expect(dialog.queryByText(live)).not.toBeInTheDocument();
  await user.click(save);
  expect(dialog.getByText("Please choose a replacement image or keep the existing one.")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Keep existing image" }));
  expect(dialog.getByText(live)).toBeVisible();

  await user.click(dialog.getByRole("button", { name: "Replace image" }));
  await user.upload(dialog.getByLabelText("Image file"), aFile("new.png"));
  expect(await dialog.findByRole("img", { name: "Preview of new.png" })).toBeVisible();
  expect(dialog.getByRole("button", { name: "Choose different image" })).toBeVisible();
  await user.upload(dialog.getByLabelText("Image file"), aFile("newer.png"));
  expect(await dialog.findByRole("img", { name: "Preview of newer.png" })).toBeVisible();
  expect(dialog.queryByRole("textbox", { name: "Image Key" })).not.toBeInTheDocument();
  const saved = anImage("logo_primary", { revision: 2 });
  server.use(answer("put", `${IMAGES}/img_logo_primary`, saved), answer("get", IMAGES, [saved]));
  await user.click(save);

  expect(await screen.findByText('Image "logo_primary" updated successfully!')).toBeInTheDocument();
  expect(sent()).toEqual([{ imageFile: "newer.png", revision: "1" }]);
  await waitFor(() =>
    expect(screen.getByRole("img", { name: "logo_primary" })).toHaveAttribute("src", expect.stringContaining("v=2")),
  );
});

// spec: image-17
test("a new key alone sends no file, and an unchanged form sends nothing", async () => {
  const { user } = await openImages();
  await user.click(screen.getByRole("button", { name: "Edit logo_primary" }));
  await user.click((await dialogOf("Update Image")).getByRole("button", { name: "Save Changes" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(sent()).toEqual([]);

  await user.click(screen.getByRole("button", { name: "Edit logo_primary" }));
  const dialog = await dialogOf("Update Image");
  const saved = anImage("logo", { _id: "img_logo_primary", revision: 2 });
  server.use(answer("put", `${IMAGES}/img_logo_primary`, saved), answer("get", IMAGES, [saved]));
  await user.click(dialog.getByRole("button", { name: "Rename…" }));
  await user.clear(dialog.getByRole("textbox", { name: "Image Key" }));
  await user.type(dialog.getByRole("textbox", { name: "Image Key" }), "logo{Enter}");

  expect(await screen.findByText('Image "logo" updated successfully!')).toBeInTheDocument();
  expect(sent()).toEqual([{ key: "logo", revision: "1" }]);
});

test("the rename of a released image can be undone; the rename of an unreleased image offers no undo", async () => {
  hurry();
  const { user, unmount } = await openImages();
  const rename = async () => {
    await user.click(screen.getByRole("button", { name: "Edit logo_primary" }));
    const dialog = await dialogOf("Update Image");
    const locked = dialog.queryByRole("button", { name: "Rename…" });
    if (locked !== null) await user.click(locked);
    await user.clear(dialog.getByRole("textbox", { name: "Image Key" }));
    await user.type(dialog.getByRole("textbox", { name: "Image Key" }), "logo{Enter}");
    expect(await screen.findByText('Image "logo" updated successfully!')).toBeInTheDocument();
  };
  const renamed = anImage("logo", { _id: "img_logo_primary", revision: 7 });
  const back = anImage("logo_primary", { revision: 8 });
  const PUT = `${IMAGES}/img_logo_primary`;
  server.use(answer("put", PUT, renamed), answer("get", IMAGES, [renamed]));
  await rename();
  expect(await screen.findByRole("button", { name: "Edit logo" })).toBeInTheDocument();

  server.use(answer("put", PUT, back), answer("get", IMAGES, [back]));
  await user.click(screen.getByRole("button", { name: "Undo rename" }));

  expect(await screen.findByRole("button", { name: "Edit logo_primary" })).toBeInTheDocument();
  expect(sent()).toEqual([
    { key: "logo", revision: "1" },
    { key: "logo_primary", revision: "7" },
  ]);
  unmount();
  await openImages([anImage("logo_primary")], { isPublished: false });
  server.use(answer("put", PUT, renamed));
  await rename();
  expect(screen.queryByRole("button", { name: "Undo rename" })).not.toBeInTheDocument();
});

// spec: image-26
test("an image that somebody else changed is shown before it is overwritten", async () => {
  const { user } = await openImages();
  await user.click(screen.getByRole("button", { name: "Edit logo_primary" }));
  const dialog = await dialogOf("Update Image");
  const current = anImage("logo_primary", { revision: 4 });
  server.use(
    answer(
      "put",
      `${IMAGES}/img_logo_primary`,
      { message: "Somebody changed it.", code: "stale_revision", current, by: "Noor Aziz" },
      { status: 409 },
    ),
  );
  await user.click(dialog.getByRole("button", { name: "Rename…" }));
  await user.clear(dialog.getByRole("textbox", { name: "Image Key" }));
  await user.type(dialog.getByRole("textbox", { name: "Image Key" }), "logo{Enter}");
  expect(await dialog.findByText(/^Noor Aziz changed this image/)).toBeVisible();

  server.use(answer("put", `${IMAGES}/img_logo_primary`, anImage("logo", { revision: 5 })));
  await user.click(dialog.getByRole("button", { name: "Save Changes" }));
  await waitFor(() => expect(sent()).toHaveLength(2));

  expect(sent().map(({ revision }) => revision)).toEqual(["1", "4"]);
});

// spec: image-16
test("an image without its reference can't be updated", async () => {
  const { user } = await openImages([anImage("logo", { _id: "" })]);
  await user.click(screen.getByRole("button", { name: "Edit logo" }));
  const dialog = await dialogOf("Update Image");

  await user.click(dialog.getByRole("button", { name: "Save Changes" }));

  expect(dialog.getByText("Unable to update image: missing reference.")).toBeVisible();
  expect(sent()).toEqual([]);
});

// spec: image-20
test("an update that fails shows that", async () => {
  const { user } = await openImages();
  await user.click(screen.getByRole("button", { name: "Edit logo_primary" }));
  const dialog = await dialogOf("Update Image");
  server.use(answer("put", `${IMAGES}/img_logo_primary`, "", { status: 502 }));

  await user.click(dialog.getByRole("button", { name: "Rename…" }));
  await user.type(dialog.getByRole("textbox", { name: "Image Key" }), "_2{Enter}");

  expect(await dialog.findByText("Failed to update image.")).toBeVisible();
});

// spec: image-4, image-21, image-24
test("deleting an image asks first", async () => {
  const { user } = await openImages();
  const ask = async () => {
    await user.click(screen.getByRole("button", { name: "Delete logo_primary" }));
    return dialogOf("Delete image");
  };
  const question = 'Are you sure you want to delete the image "logo_primary"? This action cannot be undone.';

  server.use(answer("delete", `${IMAGES}/img_logo_primary`, "", { status: 500 }));
  let dialog = await ask();
  expect(dialog.getByText(question)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("Failed to delete image.")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

  server.use(
    answer("delete", `${IMAGES}/img_logo_primary`, { message: 'Image "logo_primary" deleted successfully.' }),
    answer("get", IMAGES, []),
  );
  dialog = await ask();
  await user.click(dialog.getByRole("button", { name: "Delete" }));

  expect(await screen.findByText('Image "logo_primary" deleted successfully.')).toBeInTheDocument();
  expect(await screen.findByText("No images yet")).toBeVisible();
});

test("the focus moves from a deleted image to the next image, and from the last image to the upload", async () => {
  const { user } = await openImages([anImage("hero"), anImage("logo")]);
  const remove = async (key: string, left: ImageRecord[]) => {
    server.use(answer("delete", `${IMAGES}/img_${key}`, { message: "" }), answer("get", IMAGES, left));
    await user.click(screen.getByRole("button", { name: `Delete ${key}` }));
    await user.click((await dialogOf("Delete image")).getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  };

  await remove("hero", [anImage("logo")]);
  await waitFor(() => expect(screen.getByRole("button", { name: "Edit logo" })).toHaveFocus());
  await remove("logo", []);
  await waitFor(() => expect(screen.getByRole("button", { name: "Upload Image" })).toHaveFocus());
});

// spec: image-28
test("a viewer sees the images and copies their addresses, and changes nothing", async () => {
  await openImages([anImage("logo")], { role: "viewer", permissions: ["read"] });

  expect(screen.getByRole("button", { name: "Copy URL of logo" })).toBeVisible();
  for (const name of ["Upload Image", "Edit logo", "Delete logo"]) {
    expect(screen.queryByRole("button", { name })).not.toBeInTheDocument();
  }
  fireEvent.paste(window, { clipboardData: { files: [aFile("image.png")] } });
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

// spec: image-27
test("an upload without a plan offers the plans", async () => {
  const { user } = await openDashboard([anImage("logo")], EXPIRED);
  server.use(answer("get", "/api/plans", { plans: [] }));

  await user.click(screen.getByRole("button", { name: "Upload Image" }));

  expect(await screen.findByRole("dialog", { name: /plan|Activate/i })).toBeVisible();
  expect(screen.queryByRole("dialog", { name: "Upload Image" })).not.toBeInTheDocument();
});

// spec: image-27
test("a person who may not choose a plan reads why there is no upload", async () => {
  const { user } = await openImages([anImage("logo")], {
    ...EXPIRED,
    role: "editor",
    permissions: ["read", "edit", "publish"],
  });

  const button = screen.getByRole("button", { name: "Upload Image" });
  expect(button).toHaveAccessibleDescription(/does not have an active plan/);
  await user.click(button);

  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

// spec: image-27
test("an upload that is refused because the plan has ended offers the plans", async () => {
  const { user } = await openDashboard();
  drop([aFile("hero.png")]);
  const dialog = await dialogOf("Upload Image");
  const message = "This project does not have an active plan.";
  server.use(refusal("post", IMAGES, 402, { message }), answer("get", "/api/plans", { plans: [] }));

  await user.click(dialog.getByRole("button", { name: "Upload" }));
  expect(await dialog.findByText(message)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Choose a plan" }));

  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Upload Image" })).not.toBeInTheDocument());
  expect(await screen.findByRole("dialog", { name: /plan|Activate/i })).toBeVisible();
});

test("many images are found by their keys", async () => {
  const { user } = await openImages(Array.from({ length: 12 }, (_, number) => anImage(`trip_${number}`)));

  await user.type(screen.getByRole("searchbox", { name: "Find an image by its key" }), "TRIP_1");
  expect(within(screen.getByRole("list", { name: "Images" })).getAllByRole("listitem")).toHaveLength(3);
  await user.type(screen.getByRole("searchbox", { name: "Find an image by its key" }), "xx");

  expect(screen.getByText("No key of an image contains “TRIP_1xx”.")).toBeVisible();
});

// spec: image-30
test("an image that a colleague uploaded appears", async () => {
  const stream = eventStream();
  server.use(http.get(`*/api/projects/${PROJECT_ID}/events`, () => stream.response));
  await openDashboard();
  server.use(answer("get", IMAGES, [anImage("logo_primary"), anImage("from_jonas")]));

  stream.say("change", { by: { _id: "usr_2", name: "Jonas" }, at: "2026-11-19T10:00:00Z", images: true }, "2");

  expect(await screen.findByText("from_jonas")).toBeVisible();
});

test("a live image opens on its picture; its key is renamed on request, and apps still get the image by its former key", async () => {
  const { user } = await openImages([anImage("logo_primary", { aliases: ["logo"] })]);
  await user.click(screen.getByRole("button", { name: "Edit logo_primary" }));
  const dialog = await dialogOf("Update Image");

  expect(dialog.queryByRole("textbox")).not.toBeInTheDocument();
  expect(dialog.getByText("Apps ask for this key.")).toBeVisible();
  expect(dialog.getByText(/its former key get it too/)).toHaveTextContent("logo");
  await user.click(dialog.getByRole("button", { name: "Rename…" }));
  expect(dialog.getByRole("textbox", { name: "Image Key" })).toHaveFocus();
  expect(dialog.getByText(/go on getting this image/)).toHaveTextContent("logo_primary");
});

test("deleting an unpublished image, or changing its key, shows which items use the image", async () => {
  uses = [
    { store: "places", name: "Places", items: 5, labels: ["Oslo", "Turku", "Riga"] },
    { store: "hotels", name: "Hotels", items: 1, labels: ["Grand"] },
  ];
  const { user } = await openImages([anImage("logo_primary")], { isPublished: false, release: 0 });
  const said =
    "6 items show this image, and would show no image: Oslo, Turku, Riga and 2 more in Places; Grand in Hotels.";

  await user.click(screen.getByRole("button", { name: "Delete logo_primary" }));
  const question = await dialogOf("Delete image");
  await waitFor(() => expect(question.getByText(/items show/).closest("[data-tone]")).toHaveTextContent(said));
  await user.click(question.getByRole("button", { name: "Cancel" }));

  await user.click(screen.getByRole("button", { name: "Edit logo_primary" }));
  const dialog = await dialogOf("Update Image");
  expect(dialog.queryByText(/items show/)).toBeNull();
  await user.type(dialog.getByLabelText("Image Key"), "_2");
  await waitFor(() => expect(dialog.getByText(/items show/).closest("[data-tone]")).toHaveTextContent(said));
});
