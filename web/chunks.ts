/**
 * Which modules share a file of the build. Without groups, each module that two pages share is a file of its own: /login takes 40 files.
 *
 * A group gets its modules with all that they import, except modules of a group before it. So a page loads a few files, and little code that
 * it doesn't need. A small module that an unrelated page imports too belongs to an early group: each file that has it is loaded whole.
 * `scripts/check-size.mjs` checks the number and the size of the files of each page.
 */
const source = (...paths: string[]) => `/web/src/(${paths.join("|")})\\.tsx?$`;
const components = (...names: string[]) => `/@mantine/core/esm/components/(${names.join("|")})/\\w+\\.mjs$`;
const packages = (...names: string[]) => `/node_modules/(${names.join("|")})/`;
const group = (name: string, ...tests: string[]) => ({ name, test: new RegExp(tests.join("|")) });

const inOrder = [
  group(
    "react",
    packages("react", "react-dom", "scheduler", "react-router", "openapi-fetch", "@tanstack/(query-core|react-query)"),
  ),
  // Each page loads it.
  group(
    "base",
    source(
      "main",
      "lib/(devices|instant|kept-text|limits.gen|passkey-support|project|time|translation-events|use-attempt)",
      "ui/(legal-links|logo|notice)",
    ),
    "/@mantine/hooks/esm/(use-id|use-merged-ref|use-uncontrolled)/",
    "/@mantine/core/esm/(core|components/Checkbox/CheckIcon)",
  ),
  group("forms", packages("zod", "react-hook-form", "@hookform"), source("lib/(forms|zod)")),
  group("fields", components("Input", "TextInput", "CloseButton", "Textarea"), source("ui/password-field")),
  group("checkbox", components("Checkbox")),
  group("guests", source("features/accounts/(auth-layout|sso-button|handover|schemas)")),
  // The frame of all pages of a member, with what most of the pages need.
  group(
    "shell",
    source(
      "app/shell",
      "ui/(badge|confirm-dialog|copy-button|kept-notice|page|theme-toggle|undo-toast)",
      "lib/(locks|pending-activation|random-id|use-kept-text)",
    ),
    components("ActionIcon", "Modal", "ScrollArea", "Tooltip"),
    "/@tabler/",
  ),
  // The frame of a project, with what most of its tabs need.
  group(
    "project",
    source(
      "features/project-view/project-layout",
      "features/screens/unsaved-edits",
      "features/publishing/(discarding|publish-button|schedule-button)",
      "features/search/search-button",
      "features/history/panel-button",
      "ui/(add-language-button|pseudo-note|renamed)",
      "lib/(ai|jobs|languages|field-types/known)",
    ),
    components("Progress"),
  ),
  group(
    "screen",
    source("features/screens/translation-page", "features/history/history-button", "features/ai/fill-button"),
  ),
  group(
    "select",
    components("NativeSelect"),
    "/Combobox/(ComboboxChevron/|get-parsed-combobox-data/|Combobox\\.module)",
  ),
  group("popover", components("Popover")),
  group("list", source("ui/data-list")),
  group("key-changes", source("ui/(change-row|diff-section|key-change|tick-box)")),
  group(
    "changes",
    source(
      "ui/(color-change|diff-view|list-keys|store-changes|store-itself|thumbnail|value-changes|value-warnings)",
      "lib/(use-settling|use-whole-lists)",
    ),
  ),
  // What a project and a screen fetch when they are drawn.
  group(
    "project-parts",
    source(
      "features/ai/(job-tray|key-offer)",
      "features/billing/activation-dialog",
      "features/live/presence",
      "features/preview/preview-dialog",
      "features/project-view/delete-screen-dialog",
      "features/publishing/(publish-review|schedule-dialog|schedule-manager)",
      "features/screens/english-only",
      "features/search/search-panel",
    ),
  ),
  group(
    "screen-parts",
    source(
      "features/ai/(cell-tools|fill-form)",
      "features/history/screen-history-panel",
      "features/screens/(delete-key-dialog|floating-rows|kept-new-key|pasted-keys|rename-field|rename-key-dialog)",
    ),
  ),
];

export const groups = inOrder.map((each, index) => ({ ...each, priority: inOrder.length - index }));
