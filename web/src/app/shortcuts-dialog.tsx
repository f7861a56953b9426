/** The keyboard shortcuts of the open page. */
import { Modal } from "@mantine/core";
import { useLocation } from "react-router";
import { isMac } from "@/lib/keyboard";
import { look } from "@/ui/look";
import { Heading, Text } from "@/ui/parts";
import classes from "./shortcuts-dialog.module.css";

const command = isMac ? "⌘" : "Ctrl";
const alt = isMac ? "⌥" : "Alt";

/** What it does, and the ways to ask for it, each of keys that are held together. */
type Shortcut = readonly [does: string, ...ways: readonly string[]];

const everywhere: Shortcut[] = [
  ["Show the keyboard shortcuts", "?"],
  ["Close a dialog or a menu", "Esc"],
];
const project: Shortcut[] = [
  ["Search all screens", "/", `${command} K`],
  ["Review and publish the changes", `${command} Enter`],
];
const texts: Shortcut[] = [
  ["Filter the keys of this screen", "F"],
  ["Filter them from a cell", `${command} F`],
  ["Move between the cells", "← ↑ → ↓"],
  ["Write in a cell, or rename its key", "Enter", "F2"],
  ["Replace a text", "any\u00a0character"],
  ["Clear a text", "Delete"],
  ["Undo the last change of a text", `${command} Z`],
];
const writing: Shortcut[] = [
  ["Save the text", "Enter"],
  ["Begin a new line", "Shift Enter"],
  ["Save it and go to the next missing text", "Tab"],
  ["Leave the text as it was", "Esc"],
  ["Translate it with AI", `${alt} T`],
  ["Rephrase it with AI", `${alt} R`],
  ["Use the proposal of AI", `${alt} Enter`],
];
const item: Shortcut[] = [["Save the open item", `${command} Enter`]];
const releases: Shortcut[] = [["Move between the releases", "↑ ↓"]];

const PARTS_WITHOUT_TEXTS = ["stores", "colors", "images", "settings", "releases"];

/** The groups of the page at this address. */
function groupsOf(pathname: string): [string, Shortcut[]][] {
  const [, projects, projectId, part = "general", store] = pathname.split("/");
  if (projects !== "projects" || projectId === undefined || projectId === "create")
    return [["On every page", everywhere]];
  const groups: [string, Shortcut[]][] = [];
  if (!PARTS_WITHOUT_TEXTS.includes(part))
    groups.push(["In the texts of a screen", texts], ["While you write", writing]);
  if (part === "stores" && store !== undefined) groups.push(["In a data store", item]);
  if (part === "releases") groups.push(["In the list of releases", releases]);
  return [...groups, ["In a project", project], ["On every page", everywhere]];
}

export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { pathname } = useLocation();
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size="md">
      {groupsOf(pathname).map(([name, shortcuts]) => (
        <section key={name} className={classes["group"]} aria-label={name}>
          <Heading as="h3" mb={4} size="s" tone="ink-2">
            {name}
          </Heading>
          <dl>
            {shortcuts.map(([does, ...ways]) => (
              <div key={does}>
                <dt>{does}</dt>
                <Text as="dd" ms="auto" size="s" tone="ink-3">
                  {ways.map((keys, index) => (
                    <span key={keys}>
                      {index > 0 && " or "}
                      {keys.split(" ").map((key) => (
                        <kbd
                          className={look({
                            px: 6,
                            py: 0,
                            fill: "sunken",
                            border: "strong",
                            radius: "s",
                            tone: "ink",
                            textAlign: "center",
                          })}
                          key={key}
                        >
                          {key}
                        </kbd>
                      ))}
                    </span>
                  ))}
                </Text>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}
