/** Shows what somebody else has written into the same values since, and asks whose values are to stay. */
import { Button } from "@mantine/core";
import type { LanguageName } from "@/lib/languages";
import { Notice } from "@/ui/notice";
import { Box, Row } from "@/ui/parts";
import { shownText, valueIn } from "./cell-text";
import type { Item, StoreField } from "./queries";

export interface Clash {
  field: StoreField;
  language: string;
}

export function ConflictNotice({
  clashes,
  current,
  nameOf,
  onTheirs,
  onMine,
}: {
  clashes: readonly Clash[];
  current: Item;
  nameOf: (code: string) => LanguageName;
  onTheirs: () => void;
  onMine: () => void;
}) {
  return (
    <Notice
      tone="warn"
      action={
        <Row wrap gap={6}>
          <Button size="xs" onClick={onTheirs}>
            Use theirs
          </Button>
          <Button size="xs" onClick={onMine}>
            Save mine
          </Button>
        </Row>
      }
    >
      <div role="alert">
        {current.updatedBy === "" ? "Somebody else" : current.updatedBy} changed this item while you were writing:
        <Box as="ul" breaks bullets>
          {clashes.map(({ field, language }) => {
            const text = shownText(valueIn(current, field, language), field);
            return (
              <li key={`${field._id}/${language}`}>
                <bdi>{field.name}</bdi>
                {field.isTranslatable && ` (${nameOf(language).name})`}:{" "}
                {text === "" ? "no value" : <bdi>“{text}”</bdi>}
              </li>
            );
          })}
        </Box>
      </div>
    </Notice>
  );
}
