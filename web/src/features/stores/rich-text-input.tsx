/** Formatted text, written as it will look, kept as clean HTML: only the tags that the toolbar can make. */
import { ActionIcon, Button, TextInput, Tooltip } from "@mantine/core";
import { type Editor, EditorContent, useEditor, useEditorState } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { type ComponentType, useEffect, useRef, useState } from "react";
import {
  IconBold,
  IconH2,
  IconH3,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconQuote,
  IconStrikethrough,
  IconUnderline,
} from "@/ui/icons";
import { look } from "@/ui/look";
import { Box, Row, Text } from "@/ui/parts";
import classes from "./rich-text-input.module.css";

const LINK = /^(https?:\/\/[^/\s]|mailto:[^/\s])/i;

const extensions = [
  StarterKit.configure({
    // It would end every text with an empty paragraph.
    trailingNode: false,
    heading: { levels: [2, 3] },
    link: {
      openOnClick: false,
      autolink: true,
      defaultProtocol: "https",
      protocols: ["http", "https", "mailto"],
      isAllowedUri: (url) => LINK.test(url),
      // The server decides how links are followed; here they are only text.
      HTMLAttributes: { target: null, rel: null },
    },
  }),
];

const BLOCK = /<(?:p|br|h[1-6]|ul|ol|li|blockquote|pre|hr)\b/i;

/** Turns the line breaks of a value without paragraphs into paragraphs and `<br>`. The editor would drop the line breaks. */
const withParagraphs = (html: string): string =>
  BLOCK.test(html) || !/\r|\n/.test(html)
    ? html
    : html
        .trim()
        .replace(/\r\n?/g, "\n")
        .split(/\n(?:[ \t]*\n)+/)
        .map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br>")}</p>`)
        .join("");

/** What is kept: nothing for a text in which there is nothing to see. */
const htmlOf = (editor: Editor): string => (editor.isEmpty ? "" : editor.getHTML());

export function RichTextInput({
  id,
  value,
  fallback = "",
  dir,
  lang,
  isRequired,
  isReadOnly,
  isWrong,
  onChange,
}: {
  id: string;
  value: string;
  /** HTML of what apps show while there is no value. */
  fallback?: string;
  dir?: string;
  lang?: string;
  isRequired: boolean;
  isReadOnly: boolean;
  isWrong: boolean;
  onChange: (html: string) => void;
}) {
  // The last reported value: when it comes back, it is not put in again, which would move the cursor.
  const told = useRef(value);
  const tell = useRef(onChange);
  useEffect(() => {
    tell.current = onChange;
  });
  const editor = useEditor({
    extensions,
    content: withParagraphs(value),
    editable: !isReadOnly,
    // The page's policy and our style sheet stand in for the one it would add.
    injectCSS: false,
    editorProps: {
      // It saves the item; the editor would break the line, too.
      handleKeyDown: (_, event) => event.key === "Enter" && (event.ctrlKey || event.metaKey),
      attributes: {
        id,
        role: "textbox",
        "aria-multiline": "true",
        "aria-labelledby": `${id}-label`,
        ...(isWrong ? { "aria-invalid": "true", "aria-describedby": `${id}-problem` } : {}),
        ...(isRequired ? { "aria-required": "true" } : {}),
        ...(isReadOnly ? { "aria-readonly": "true" } : {}),
        ...(dir === undefined ? {} : { dir }),
        ...(lang === undefined ? {} : { lang }),
      },
    },
    onUpdate: ({ editor: present }) => {
      told.current = htmlOf(present);
      tell.current(told.current);
    },
  });
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    editor.commands.setContent(withParagraphs(value), { emitUpdate: false });
  }, [editor, value]);
  // The text's own label: a label element gives its focus to inputs only.
  useEffect(() => {
    const label = document.getElementById(`${id}-label`);
    const focus = () => editor.commands.focus();
    label?.addEventListener("click", focus);
    return () => label?.removeEventListener("click", focus);
  }, [editor, id]);
  return (
    <Box
      fill="surface"
      border="strong"
      radius="s"
      className={classes["frame"]}
      data-wrong={isWrong || undefined}
      data-read-only={isReadOnly || undefined}
    >
      {!isReadOnly && <Toolbar editor={editor} />}
      <EditorContent editor={editor} className={classes["text"]} />
      {value === "" && fallback !== "" && (
        <Text px={12} pb={8} size="s" tone="ink-3">
          For now, apps show the default text.
        </Text>
      )}
    </Box>
  );
}

interface Tool {
  label: string;
  shortcut?: string;
  Icon: ComponentType<{ size: number; stroke: number; "aria-hidden": "true" }>;
  isOn: (editor: Editor) => boolean;
  run: (editor: Editor) => void;
}

const tools: readonly Tool[] = [
  {
    label: "Bold",
    shortcut: "B",
    Icon: IconBold,
    isOn: (editor) => editor.isActive("bold"),
    run: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    label: "Italic",
    shortcut: "I",
    Icon: IconItalic,
    isOn: (editor) => editor.isActive("italic"),
    run: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    label: "Underline",
    shortcut: "U",
    Icon: IconUnderline,
    isOn: (editor) => editor.isActive("underline"),
    run: (editor) => editor.chain().focus().toggleUnderline().run(),
  },
  {
    label: "Strike through",
    Icon: IconStrikethrough,
    isOn: (editor) => editor.isActive("strike"),
    run: (editor) => editor.chain().focus().toggleStrike().run(),
  },
  {
    label: "Heading",
    Icon: IconH2,
    isOn: (editor) => editor.isActive("heading", { level: 2 }),
    run: (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run(),
  },
  {
    label: "Smaller heading",
    Icon: IconH3,
    isOn: (editor) => editor.isActive("heading", { level: 3 }),
    run: (editor) => editor.chain().focus().toggleHeading({ level: 3 }).run(),
  },
  {
    label: "List",
    Icon: IconList,
    isOn: (editor) => editor.isActive("bulletList"),
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    label: "Numbered list",
    Icon: IconListNumbers,
    isOn: (editor) => editor.isActive("orderedList"),
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    label: "Quote",
    Icon: IconQuote,
    isOn: (editor) => editor.isActive("blockquote"),
    run: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
];

function Toolbar({ editor }: { editor: Editor }) {
  const [isLinking, setLinking] = useState(false);
  const on = useEditorState({
    editor,
    selector: ({ editor: present }) => ({
      tools: tools.map(({ isOn }) => isOn(present)),
      link: present.isActive("link"),
    }),
  });
  return (
    <>
      <div
        className={look({ layout: "row", wrap: true, gap: 2, fill: "sunken", lineBelow: true, p: 3 }, classes["tools"])}
        role="toolbar"
        aria-label="Formatting"
      >
        {tools.map(({ label, shortcut, Icon, run }, index) => (
          <ToolButton
            key={label}
            label={label}
            {...(shortcut === undefined ? {} : { shortcut })}
            isOn={on.tools[index] ?? false}
            onClick={() => run(editor)}
          >
            <Icon size={16} stroke={1.7} aria-hidden="true" />
          </ToolButton>
        ))}
        <ToolButton label="Link" isOn={on.link} onClick={() => setLinking(!isLinking)}>
          <IconLink size={16} stroke={1.7} aria-hidden="true" />
        </ToolButton>
      </div>
      {isLinking && <LinkForm editor={editor} isOn={on.link} onDone={() => setLinking(false)} />}
    </>
  );
}

function ToolButton({
  label,
  shortcut,
  isOn,
  onClick,
  children,
}: {
  label: string;
  shortcut?: string;
  isOn: boolean;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <Tooltip label={shortcut === undefined ? label : `${label} (Ctrl ${shortcut})`}>
      <ActionIcon
        size={28}
        aria-label={label}
        aria-pressed={isOn}
        className={classes["tool"] ?? ""}
        // The selection in the text stays.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

function LinkForm({ editor, isOn, onDone }: { editor: Editor; isOn: boolean; onDone: () => void }) {
  const [url, setUrl] = useState(() => String(editor.getAttributes("link")["href"] ?? ""));
  const [isWrong, setWrong] = useState(false);
  const apply = () => {
    const text = url.trim();
    const address = /^[a-z][a-z0-9+.-]*:/i.test(text)
      ? text
      : text.includes("@")
        ? `mailto:${text}`
        : `https://${text}`;
    if (text === "" || !LINK.test(address)) return setWrong(true);
    const chain = editor.chain().focus().extendMarkRange("link");
    if (editor.state.selection.empty && !isOn)
      chain.insertContent({ type: "text", text, marks: [mark(address)] }).run();
    else chain.setLink({ href: address }).run();
    onDone();
  };
  const remove = () => {
    editor.chain().focus().extendMarkRange("link").unsetLink().run();
    onDone();
  };
  return (
    <Row wrap gap={6} fill="sunken" lineBelow p={6} className={classes["link"]}>
      <TextInput
        size="sm"
        aria-label="Address of the link"
        placeholder="https://example.com"
        autoFocus
        value={url}
        error={isWrong && "Enter an address that begins with https://, http:// or mailto:."}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setUrl(event.currentTarget.value);
          setWrong(false);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
            // It would send the item.
            event.preventDefault();
            apply();
          }
          if (event.key === "Escape") {
            event.stopPropagation();
            onDone();
          }
        }}
      />
      <Button size="xs" onClick={apply}>
        {isOn ? "Change link" : "Add link"}
      </Button>
      {isOn && (
        <Button size="xs" variant="subtle" onClick={remove}>
          Remove link
        </Button>
      )}
    </Row>
  );
}

const mark = (href: string) => ({ type: "link", attrs: { href } });
