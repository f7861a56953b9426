/** Replacing the picture of an image, and changing its key. */
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { hurry } from "@/testing/clock";
import { renderInProject } from "@/testing/component";
import { aFile, anImage, dialogOf, IMAGES, openImages, prepareImages, sent } from "@/testing/images";
import { findOfferOfText } from "@/testing/kept";
import { answer, server } from "@/testing/server";
import { ImagesPage } from "./images-page";

beforeEach(prepareImages);

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
