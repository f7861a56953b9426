/** Uploading images. */
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { renderInProject } from "@/testing/component";
import { aFile, anImage, dialogOf, drop, IMAGES, openImages, prepareImages, sent } from "@/testing/images";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";
import { ImagesPage } from "./images-page";

beforeEach(prepareImages);

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
