/** The list of images: finding, reading and deleting. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { PROJECT_ID } from "@/testing/fixtures";
import { anImage, dialogOf, IMAGES, openImages, prepareImages, uses } from "@/testing/images";
import { openDashboard } from "@/testing/images-page";
import { openInProject } from "@/testing/in-project";
import { answer, eventStream, server } from "@/testing/server";
import { ImagesPage } from "./images-page";
import type { ImageRecord } from "./queries";

beforeEach(prepareImages);

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

test("deleting an unpublished image, or changing its key, shows which items use the image", async () => {
  uses.push(
    { store: "places", name: "Places", items: 5, labels: ["Oslo", "Turku", "Riga"] },
    { store: "hotels", name: "Hotels", items: 1, labels: ["Grand"] },
  );
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
