/** What apps lose, first in a review and in red. */
import { UnstyledButton } from "@mantine/core";
import { type ReactNode, useMemo, useState } from "react";
import { counted } from "@/lib/counted";
import { type Diff, type ScreenDiff, titleOf } from "@/lib/diff";
import type { LanguageName } from "@/lib/languages";
import { ChangeRow } from "@/ui/change-row";
import { ColorChangeLine } from "@/ui/color-change";
import { DiffSection, type Revealed } from "@/ui/diff-section";
import { LanguageLine } from "@/ui/diff-view";
import { ChangeHead, KeyChangeLine, Stamps } from "@/ui/key-change";
import lines from "@/ui/key-change.module.css";
import { look } from "@/ui/look";
import { Box, Row, Text } from "@/ui/parts";
import { ItemLine } from "@/ui/store-changes";
import { StoreItself } from "@/ui/store-itself";
import { lossWords } from "./losses";
import classes from "./removals.module.css";
import { isStoreLoss, REMOVALS } from "./review-entries";

/** How many values of a removed key or item are shown. All its values are lost. */
const SHOWN = 2;

interface Removal {
  ref: string | null | undefined;
  line: ReactNode;
}

export function Removals({
  diff,
  total,
  losses,
  languages,
  nameOf,
  shown,
  revealed,
}: {
  diff: Diff;
  /** How many removals are shown. */
  total: number;
  /** What apps lose with the selected changes. */
  losses: Diff["losses"];
  /** In the project's order. */
  languages: readonly string[];
  nameOf: (code: string) => LanguageName;
  /** The changes that the filter shows; null for all. */
  shown: ReadonlySet<string> | null;
  revealed: Revealed | null;
}) {
  // The same lines while the diff is: a tick draws boxes, not texts.
  const all = useMemo(() => removalsIn(diff, languages, nameOf), [diff, languages, nameOf]);
  const removals = useMemo(
    () => (shown === null ? all : all.filter(({ ref }) => !!ref && shown.has(ref))),
    [all, shown],
  );
  if (removals.length === 0) return null;
  const words = lossWords(losses);
  return (
    <Box px={14} py={4} mb={22} radius="m" className={classes["removals"]}>
      <DiffSection
        id={REMOVALS}
        label="Removals"
        title="Removals"
        count={counted(total, "removal")}
        isFolded={false}
        revealed={revealed}
        lines={removals}
        before={
          <Text pt={8} pb={4} size="s" tone="ink-2" className={classes["losses"]}>
            {words === "" ? (
              "Apps lose nothing: the removals stay in the draft."
            ) : (
              <>
                <b>Apps lose {words}.</b> Apps that still ask for this show what they were built with, or nothing.
              </>
            )}
          </Text>
        }
      >
        {({ line }) => line}
      </DiffSection>
    </Box>
  );
}

function removalsIn(diff: Diff, languages: readonly string[], nameOf: (code: string) => LanguageName): Removal[] {
  const gone = <Of extends { change: string }>(changes: readonly Of[]) =>
    changes.filter(({ change }) => change === "removed");
  return [
    ...gone(diff.screens).map((screen) => ({
      ref: screen.ref,
      line: <ScreenLine key={`screen/${screen.screen}`} screen={screen} />,
    })),
    ...gone(diff.languages).map((language) => ({
      ref: language.ref,
      line: <LanguageLine key={language.language} change={language} nameOf={nameOf} badge={<Where>language</Where>} />,
    })),
    ...diff.screens
      .filter(({ change }) => change !== "removed")
      .flatMap((screen) =>
        gone(screen.keys).map((key) => ({
          ref: key.ref,
          line: (
            <KeyChangeLine
              key={`${screen.screen}/${key.key}`}
              change={{ ...key, values: firstOf(key.values, languages) }}
              languages={languages}
              nameOf={nameOf}
              badge={<Where>in {titleOf(screen.screen)}</Where>}
            >
              <More count={key.values.length - SHOWN} of="text" />
            </KeyChangeLine>
          ),
        })),
      ),
    ...gone(diff.colors).map((color) => ({
      ref: color.ref,
      line: <ColorChangeLine key={`color/${color.key}`} change={color} badge={<Where>colour</Where>} />,
    })),
    ...diff.stores.filter(isStoreLoss).map((store) => ({
      ref: store.ref,
      line: <StoreItself key={`store/${store.store}`} store={store} as="li" name={storeName(store)} />,
    })),
    ...diff.stores.flatMap((store) =>
      gone(store.items).map((item) => ({
        ref: item.ref,
        line: (
          <ItemLine
            key={`item/${item._id}`}
            item={{ ...item, values: firstOf(item.values, languages) }}
            languages={languages}
            nameOf={nameOf}
            badge={<Where>in {store.name}</Where>}
          >
            <More count={item.values.length - SHOWN} of="value" />
          </ItemLine>
        ),
      })),
    ),
  ];
}

/** The first values, those in the default language before others. */
function firstOf<Value extends { language: string | null }>(
  values: readonly Value[],
  languages: readonly string[],
): Value[] {
  const rank = ({ language }: Value) => {
    const at = language === null ? 0 : languages.indexOf(language);
    return at < 0 ? languages.length : at;
  };
  return values.toSorted((a, b) => rank(a) - rank(b)).slice(0, SHOWN);
}

function More({ count, of }: { count: number; of: string }) {
  return count <= 0 ? null : (
    <Text pt={4} size="note" tone="ink-3">
      and {counted(count, `more ${of}`)}
    </Text>
  );
}

const storeName = ({ change, name }: Diff["stores"][number]): string =>
  change === "removed" ? `Data Store ${name}` : `Fields of ${name}`;

function Where({ children }: { children: ReactNode }) {
  return (
    <Text as="span" size="note" tone="ink-2" breaks>
      {children}
    </Text>
  );
}

/** A removed screen is one removal: its keys go with it. */
function ScreenLine({ screen: { screen, ref, keys, total } }: { screen: ScreenDiff }) {
  const [isOpen, setOpen] = useState(false);
  const of = { ref, name: screen };
  // Who removed a screen removed its keys.
  const [key] = keys;
  return (
    <ChangeRow of={of} className={look({ py: 9, lineBelow: true }, lines["key"])}>
      <Stamps value={key !== undefined}>
        <ChangeHead of={of} change="removed" by={key?.by ?? null} at={key?.at ?? ""}>
          <Where>whole screen</Where>
        </ChangeHead>
      </Stamps>
      <Row as="p" wrap gap={2} gapX={10} pt={4} size="s" className={classes["screen"]}>
        <b>{total === 0 ? "It has no texts." : `Apps lose ${counted(total, "text")}.`}</b>
        {keys.length > 0 && (
          <UnstyledButton
            className={look({ tone: "accent-text", size: "inherit", weight: 500 }, classes["show"])}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? "Hide the keys" : `Show the ${counted(total, "key")}`}
          </UnstyledButton>
        )}
      </Row>
      {isOpen && (
        <Text pt={4} size="note" breaks code>
          {keys.map(({ key }) => key).join(", ")}
          {keys.length < total && ` and ${(total - keys.length).toLocaleString("en")} more`}
        </Text>
      )}
    </ChangeRow>
  );
}
